import { set } from '../configEdits';
import { capture, registryModule, typedComponent, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Power, modem, and uploads of machines in remote locations. */
export const fieldGateway: FragmentPlan = {
  key: 'field_gateway',
  name: 'field_gateway',
  daysAgo: 61,
  config: () => ({
    components: [
      typedComponent(
        'power_sensor',
        'battery',
        'saltmarsh:power:ina228',
        { i2c_bus: '1', i2c_addr: 64, shunt_resistance: 0.0015, max_current_amps: 60 },
        capture('Readings', 0.02),
      ),
      typedComponent('sensor', 'modem', 'saltmarsh:gateway:lte', {
        device: variable('modem_device'),
        apn: 'iot.saltmarsh.example',
      }),
    ],
    services: [
      {
        name: 'data_manager',
        namespace: 'rdk',
        type: 'data_manager',
        attributes: {
          capture_dir: '/data/capture',
          sync_interval_mins: variable('sync_interval_mins'),
          tags: [variable('campaign')],
          additional_sync_paths: ['/data/logs'],
        },
      },
    ],
    modules: [
      registryModule('saltmarsh:power', '0.5.1'),
      registryModule('saltmarsh:gateway', '1.2.0', { env: { LTE_BANDS: '3,20,28' } }),
    ],
  }),
  edits: [
    {
      daysAgo: 35,
      change: set('components.battery.service_configs', []),
    },
    {
      daysAgo: 34,
      change: set('components.battery.service_configs', [
        {
          type: 'data_manager',
          attributes: {
            capture_methods: [
              { method: 'Readings', capture_frequency_hz: 0.1, additional_params: {} },
            ],
          },
        },
      ]),
    },
    { daysAgo: 10, by: 'pipeline', change: set('modules.saltmarsh_gateway.version', '1.2.4') },
  ],
};
