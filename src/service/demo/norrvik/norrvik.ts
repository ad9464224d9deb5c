import type { CompanyPlan, FragmentPlan } from '../plan';
import { norrvikCaptures } from './captures';
import { inspectionCamera } from './inspectionCamera';
import { benches } from './lab';
import { palletizingLines } from './palletizingLines';
import { norrvikPublished } from './published';
import { chargers, trucks } from './warehouse';
import {
  append,
  capture,
  component,
  frame,
  registryModule,
  service,
  set,
  together,
  unset,
  variable,
} from '../configParts';

/** Driven belt with an encoder and a photo eye. */
const conveyor: FragmentPlan = {
  key: 'conveyor',
  name: 'conveyor',
  daysAgo: 69,
  config: () => ({
    components: [
      component('board', 'io', 'norrvik:modbus-io:coupler', { host: variable('io-host') }),
      component(
        'encoder',
        'belt-encoder',
        'rdk:builtin:incremental',
        { board: 'io', pins: { a: 'DI5', b: 'DI6' } },
        { depends_on: ['io'] },
      ),
      component(
        'motor',
        'belt',
        'norrvik:modbus-io:vfd',
        {
          board: 'io',
          encoder: 'belt-encoder',
          max_rpm: variable('max-rpm'),
          ramp_rpm_per_sec: 60,
          ticks_per_rotation: 1024,
          debug_register: 40001,
        },
        { depends_on: ['io', 'belt-encoder'] },
      ),
      component('sensor', 'photo-eye', 'norrvik:modbus-io:digital', {
        board: 'io',
        pin: 'DI2',
        debounce_ms: 15,
      }),
    ],
    modules: [registryModule('norrvik:modbus-io', '1.8.0')],
  }),
  edits: [
    { daysAgo: 52, change: set('components.belt.attributes.ramp_rpm_per_sec', 45) },
    { daysAgo: 30, change: unset('components.belt.attributes.debug_register') },
  ],
};

/** Software on all of the company's cabinet computers. */
const edgeComputer: FragmentPlan = {
  key: 'edge-computer',
  name: 'edge-computer',
  daysAgo: 74,
  config: () => ({
    components: [
      component('sensor', 'edge-health', 'norrvik:edge-health:computer', {
        disks: ['/', '/var/lib/capture'],
        temperature_zones: ['cpu', 'nvme'],
      }),
    ],
    services: [
      service('data_manager', 'data-manager', 'rdk:builtin:builtin', {
        capture_dir: '/var/lib/capture',
        sync_interval_mins: variable('sync-interval-mins'),
        tags: [variable('site'), 'production'],
      }),
    ],
    modules: [registryModule('norrvik:edge-health', '1.3.0')],
    processes: [
      {
        id: 'node-exporter',
        name: '/usr/local/bin/node_exporter',
        args: ['--web.listen-address=127.0.0.1:9100', '--collector.systemd'],
        one_shot: false,
        log: false,
      },
    ],
  }),
  edits: [
    {
      daysAgo: 41,
      change: together(
        set('services.data-manager.attributes.delete_every_nth_when_disk_full', 5),
        set('services.data-manager.attributes.maximum_num_sync_threads', 4),
      ),
    },
    { daysAgo: 16, by: 'pipeline', change: set('modules.norrvik_edge-health.version', '1.4.2') },
    { daysAgo: 15, change: append('log', { pattern: 'rdk.networking.*', level: 'warn' }) },
  ],
};

/** Cell controller of a palletizing line. */
const palletizerCell: FragmentPlan = {
  key: 'palletizer-cell',
  name: 'palletizer-cell',
  daysAgo: 68,
  config: (fragment) => ({
    fragments: [
      {
        id: fragment('edge-computer'),
        variables: { site: 'gothenburg-palletizing', 'sync-interval-mins': 1 },
      },
    ],
    components: [
      component('board', 'cell-io', 'norrvik:modbus-io:coupler', {
        host: variable('io-host'),
        digital_interrupts: [
          { name: 'carton-present', pin: 'DI1' },
          { name: 'light-curtain', pin: 'DI4' },
        ],
        poll_interval_ms: 10,
      }),
      component(
        'sensor',
        'pallet-height',
        'norrvik:modbus-io:analog',
        { board: 'cell-io', channel: 'AI0', scale_mm_per_count: 0.25 },
        { depends_on: ['cell-io'], ...frame('world', [1850, 0, 2600]) },
      ),
    ],
    services: [
      service('motion', 'motion', 'rdk:builtin:builtin', { num_threads: 2 }),
      service('generic', 'stacking', 'norrvik:palletizing:stacker', {
        pattern: variable('stack-pattern'),
        layers: 7,
        arm: 'stacker',
        gripper: 'vacuum',
      }),
    ],
    modules: [
      registryModule('norrvik:modbus-io', '1.8.0'),
      registryModule('norrvik:palletizing', '3.2.1', { log_level: 'info' }),
    ],
  }),
  edits: [
    { daysAgo: 45, change: set('components.cell-io.attributes.poll_interval_ms', 5) },
    {
      daysAgo: 23,
      change: together(
        set('services.stacking.attributes.layers', 8),
        set('services.stacking.attributes.slip_sheet_every', 4),
      ),
    },
    { daysAgo: 8, by: 'pipeline', change: set('modules.norrvik_palletizing.version', '3.3.0') },
  ],
};

/** Automated guided vehicle of the warehouse. */
const amrBase: FragmentPlan = {
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

const TAB_WIDTH = 2;

/** Factory automation company with many similar machines, which share fragments. */
export const norrvik: CompanyPlan = {
  name: 'Norrvik Automation',
  namespace: 'norrvik',
  daysAgo: 76,
  utcOffsetHours: 1,
  indent: TAB_WIDTH,
  metadata: {
    head_office: 'Norra Varvskajen 9, Göteborg',
    support_email: 'fleet@norrvik.example',
    erp_tenant: 'NRV-SE',
  },
  keyNames: { engineers: 'Commissioning engineers', pipeline: 'Release pipeline' },
  people: [
    { email: 'signe.lund@norrvik.example', role: 'owner', invitedDaysAgo: 75, lastLoginDaysAgo: 1 },
    {
      email: 'omar.haddad@norrvik.example',
      role: 'operator',
      invitedDaysAgo: 60,
      lastLoginDaysAgo: 3,
    },
    {
      email: 'elin.berg@norrvik.example',
      role: 'owner',
      location: 'Application Lab',
      invitedDaysAgo: 41,
      lastLoginDaysAgo: 8,
    },
    {
      email: 'night.shift@norrvik.example',
      role: 'operator',
      location: 'Palletizing Hall',
      invitedDaysAgo: 2,
    },
  ],
  keys: [
    { name: 'Hall dashboard', role: 'operator', location: 'Palletizing Hall', daysAgo: 33 },
    { name: 'Lab scripts', role: 'owner', location: 'Application Lab', daysAgo: 19 },
  ],
  shares: [{ location: 'Application Lab', with: 'Saltmarsh Field Robotics', daysAgo: 12 }],
  fragments: [edgeComputer, inspectionCamera, conveyor, palletizerCell, amrBase],
  locations: [
    {
      name: 'Gothenburg Plant',
      metadata: {
        address: 'Hamneviksvägen 14, Göteborg',
        site_code: 'GOT1',
        time_zone: 'Europe/Stockholm',
      },
      locations: [
        { name: 'Palletizing Hall', metadata: { floor: 0 }, locations: palletizingLines },
        {
          name: 'Finished Goods Warehouse',
          metadata: { floor: 0, aisles: 12 },
          machines: trucks,
          locations: [{ name: 'Charging Bay', machines: chargers }],
        },
      ],
    },
    {
      name: 'Application Lab',
      metadata: { address: 'Kranvägen 3, Malmö', site_code: 'MMX2' },
      machines: benches,
    },
  ],
  captures: norrvikCaptures,
  published: norrvikPublished,
};
