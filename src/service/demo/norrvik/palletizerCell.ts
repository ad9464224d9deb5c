import { set, together } from '../configEdits';
import { component, frame, registryModule, service, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Cell controller of a palletizing line. */
export const palletizerCell: FragmentPlan = {
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
