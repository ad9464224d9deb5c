import { set, together } from '../configEdits';
import { capture, component, frame, registryModule, service, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Automated guided vehicle of the warehouse. */
export const amrBase: FragmentPlan = {
  key: 'amr-base',
  name: 'amr-base',
  daysAgo: 66,
  config: (fragment) => ({
    fragments: [
      {
        id: fragment('edge-computer'),
        variables: { site: 'gothenburg-warehouse', 'sync-interval-mins': 5 },
      },
    ],
    components: [
      component('board', 'can', 'norrvik:amr:can-gateway', { interface: 'can0', bitrate: 500000 }),
      component('motor', 'left', 'norrvik:amr:drive', { board: 'can', node_id: 11, max_rpm: 180 }),
      component('motor', 'right', 'norrvik:amr:drive', {
        board: 'can',
        node_id: 12,
        max_rpm: 180,
        dir_flip: true,
      }),
      component(
        'base',
        'base',
        'rdk:builtin:wheeled',
        { left: ['left'], right: ['right'], width_mm: 612, wheel_circumference_mm: 628 },
        { depends_on: ['left', 'right'], ...frame('world', [0, 0, 0]) },
      ),
      component('camera', 'lidar', 'norrvik:amr:safety-lidar', {
        host: '192.168.50.10',
        range_m: variable('lidar-range-m'),
      }),
      component('movement_sensor', 'odometry', 'norrvik:amr:wheel-odometry', {
        left: 'left',
        right: 'right',
      }),
      component(
        'power_sensor',
        'battery',
        'norrvik:amr:battery',
        { board: 'can', cells: 16 },
        capture('Readings', 0.1),
      ),
    ],
    services: [
      service('slam', 'slam', 'norrvik:amr:cartographer', {
        camera: { name: 'lidar', data_frequency_hz: '10' },
        movement_sensor: { name: 'odometry', data_frequency_hz: '25' },
        existing_map: variable('map'),
        enable_mapping: false,
      }),
      service('navigation', 'navigation', 'rdk:builtin:builtin', {
        base: 'base',
        slam_service: 'slam',
        map_type: 'None',
        meters_per_sec: 1.2,
        degs_per_sec: 45,
        store: { type: 'memory' },
      }),
    ],
    modules: [registryModule('norrvik:amr', '4.0.3')],
  }),
  edits: [
    { daysAgo: 44, change: set('services.navigation.attributes.meters_per_sec', 1.0) },
    { daysAgo: 29, by: 'pipeline', change: set('modules.norrvik_amr.version', '4.1.0') },
    {
      daysAgo: 11,
      change: together(
        set('components.left.attributes.max_rpm', 165),
        set('components.right.attributes.max_rpm', 165),
      ),
    },
    { daysAgo: 4, by: 'pipeline', change: set('modules.norrvik_amr.version', '4.1.2') },
  ],
};
