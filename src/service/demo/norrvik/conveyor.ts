import { set, unset } from '../configEdits';
import { component, registryModule, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Driven belt with an encoder and a photo eye. */
export const conveyor: FragmentPlan = {
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
