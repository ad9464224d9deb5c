import { append, capture, registryModule, set, typedComponent } from '../configParts';
import type { MachinePlan } from '../plan';

const GATEWAY_VARIABLES = { modem_device: '/dev/ttyUSB2', sync_interval_mins: 60 };

/** Masts that measure the weather above the terraces. */
export const weatherMasts: MachinePlan[] = [
  { name: 'mast_ridge', daysAgo: 55, altitude: 462, contact: 'live' as const },
  { name: 'mast_river', daysAgo: 55, altitude: 118, contact: 'live' as const },
  { name: 'mast_chapel', daysAgo: 40, altitude: 301, contact: { daysAgo: 9 } },
].map(({ name, daysAgo, altitude, contact }) => ({
  name,
  daysAgo,
  metadata: { altitude_m: altitude, solar_panel_w: 40 },
  main: {
    contact,
    config: (fragment) => ({
      fragments: [
        {
          id: fragment('field_gateway'),
          variables: { ...GATEWAY_VARIABLES, campaign: 'weather' },
        },
      ],
      components: [
        typedComponent(
          'sensor',
          'weather',
          'saltmarsh:weather:wxt536',
          { port: '/dev/ttyS1', units: 'metric' },
          capture('Readings', 0.0167),
        ),
        typedComponent(
          'sensor',
          'leaf_wetness',
          'saltmarsh:weather:lws',
          { adc: 'ads1115', channel: 0 },
          capture('Readings', 0.0033),
        ),
      ],
      modules: [registryModule('saltmarsh:weather', '2.0.0')],
    }),
    edits: [
      { daysAgo: 31, by: 'pipeline', change: set('modules.saltmarsh_weather.version', '2.0.1') },
      { daysAgo: 18, change: set('components.leaf_wetness.attributes.channel', 1) },
    ],
  },
}));

/** Monitoring of the wine cellar. */
export const cellarMonitor: MachinePlan = {
  name: 'cellar_monitor',
  daysAgo: 47,
  metadata: { tanks: 14 },
  main: {
    config: () => ({
      components: [
        typedComponent('board', 'rs485', 'saltmarsh:raspberry:pi4', {}),
        ...['tank_03', 'tank_07'].map((tank, index) =>
          typedComponent(
            'sensor',
            `${tank}_temperature`,
            'saltmarsh:weather:modbus_thermometer',
            { port: '/dev/ttyAMA0', unit_id: 3 + index * 4 },
            capture('Readings', 0.0333),
          ),
        ),
      ],
      modules: [
        registryModule('saltmarsh:weather', '2.0.1'),
        registryModule('saltmarsh:raspberry', '1.0.2'),
      ],
      triggers: [
        {
          name: 'tank_too_warm',
          event: {
            type: 'conditional_data_ingested',
            conditional: {
              data_capture_method: 'sensor:tank_07_temperature:Readings',
              conditions: { evals: [{ operator: 'gt', value: { celsius: 27 } }] },
            },
          },
          notifications: [
            {
              type: 'webhook',
              value: 'https://hooks.saltmarsh.example/cellar',
              seconds_between_notifications: 600,
            },
          ],
        },
      ],
    }),
    edits: [
      {
        daysAgo: 33,
        change: append(
          'components',
          typedComponent(
            'sensor',
            'tank_11_temperature',
            'saltmarsh:weather:modbus_thermometer',
            { port: '/dev/ttyAMA0', unit_id: 11 },
            capture('Readings', 0.0333),
          ),
        ),
      },
      {
        daysAgo: 30,
        change: append('jobs', {
          name: 'hourly_pump_over',
          schedule: '1h',
          resource: 'rs485',
          method: 'DoCommand',
          command: { relay: 2, seconds: 90 },
        }),
      },
    ],
  },
};
