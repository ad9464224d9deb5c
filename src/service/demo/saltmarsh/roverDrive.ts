import { FragmentVisibility } from '../../../gen/viam/app/v1/fragment_pb';
import { append, set, together } from '../configEdits';
import { registryModule, typedComponent, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Wheels, pins, and position of a rover that drives between the vines. */
export const roverDrive: FragmentPlan = {
  key: 'rover_drive',
  name: 'rover_drive',
  daysAgo: 59,
  shared: { daysAgo: 48, visibility: FragmentVisibility.PUBLIC_UNLISTED },
  config: (fragment) => ({
    fragments: [
      {
        id: fragment('field_gateway'),
        variables: {
          modem_device: '/dev/cdc-wdm0',
          sync_interval_mins: 15,
          campaign: variable('campaign'),
        },
      },
    ],
    components: [
      typedComponent('board', 'pi', 'saltmarsh:raspberry:pi4', {
        digital_interrupts: [
          { name: 'left_a', pin: '29' },
          { name: 'right_a', pin: '31' },
          { name: 'bumper', pin: '37' },
        ],
      }),
      ...(['left', 'right'] as const).map((side) =>
        typedComponent(
          'motor',
          `${side}_wheels`,
          'gpio',
          {
            board: 'pi',
            pins: side === 'left' ? { dir: '16', pwm: '12' } : { dir: '18', pwm: '32' },
            pwm_freq: 20000,
            max_rpm: variable('max_rpm'),
            encoder: `${side}_encoder`,
          },
          { depends_on: ['pi', `${side}_encoder`] },
        ),
      ),
      ...(['left', 'right'] as const).map((side) =>
        typedComponent(
          'encoder',
          `${side}_encoder`,
          'single',
          { board: 'pi', pins: { i: `${side}_a` } },
          { depends_on: ['pi'] },
        ),
      ),
      typedComponent('base', 'rover', 'wheeled', {
        left: ['left_wheels'],
        right: ['right_wheels'],
        width_mm: 780,
        wheel_circumference_mm: 1257,
      }),
      typedComponent('movement_sensor', 'rtk', 'gps-nmea-rtk-serial', {
        serial_path: '/dev/serial/by-id/usb-u-blox_ZED-F9P-if00',
        serial_baud_rate: 115200,
        ntrip_url: 'ntrip.saltmarsh.example:2101',
        ntrip_mountpoint: variable('mountpoint'),
        ntrip_connect_attempts: 12,
      }),
    ],
    modules: [registryModule('saltmarsh:raspberry', '1.0.2')],
  }),
  edits: [
    {
      daysAgo: 46,
      change: together(
        set('components.left_wheels.attributes.pins', { dir: '18', pwm: '12' }),
        set('components.right_wheels.attributes.pins', { dir: '16', pwm: '32' }),
      ),
    },
    { daysAgo: 21, change: set('components.rover.attributes.wheel_circumference_mm', 1244) },
    {
      daysAgo: 7,
      change: together(
        append(
          'components',
          typedComponent('movement_sensor', 'imu', 'saltmarsh:imu:bno085', { i2c_bus: '1' }),
        ),
        append('modules', registryModule('saltmarsh:imu', '0.2.2')),
      ),
    },
  ],
};
