import {
  type CapturesPlan,
  type CompanyPlan,
  type FragmentPlan,
  NOTHING_PUBLISHED,
  type ReadingsPlan,
} from '../plan';
import {
  append,
  capture,
  registryModule,
  set,
  together,
  typedComponent,
  variable,
} from '../configParts';
import { cellarMonitor, weatherMasts } from './stations';
import { boatAndBuoys, rovs } from './survey';
import { rovers } from './vineyard';
import { FragmentVisibility } from '../../../gen/viam/app/v1/fragment_pb';
import {
  rounds,
  seaWater,
  tankTemperature,
  weather,
} from '../../../simulate/readings/machineReadings';
import type { ReadingModel } from '../../../simulate/readings/readingModel';

const UPPER_TERRACES = { latitude: 41.18452, longitude: -7.54611, altitude: 388 };

function sensor(
  part: string,
  componentName: string,
  model: ReadingModel,
  everyMinutes: number,
  tags: string[],
): ReadingsPlan {
  const componentType = 'rdk:component:sensor';
  const source = { componentType, componentName, methodName: 'Readings', model };
  return { part, source, everyMinutes, tags };
}

export const saltmarshCaptures: CapturesPlan = {
  readings: [
    sensor('mast_ridge-main', 'weather', weather, 15, ['weather']),
    sensor('mast_river-main', 'weather', weather, 15, ['weather']),
    sensor('cellar_monitor-main', 'tank_03_temperature', tankTemperature, 20, []),
    sensor('cellar_monitor-main', 'tank_07_temperature', tankTemperature, 20, []),
    sensor('rov_lontra-vehicle', 'ctd', seaWater, 15, ['berlengas_2026']),
    {
      part: 'touriga-main',
      source: {
        componentType: 'rdk:component:movement_sensor',
        componentName: 'rtk',
        methodName: 'Position',
        model: rounds(UPPER_TERRACES),
      },
      everyMinutes: 15,
      tags: ['canopy_2026'],
    },
  ],
  pictures: [],
  series: [],
  inspections: [],
  scans: [],
};

/** Payload of survey boats and vehicles. */
const surveyPayload: FragmentPlan = {
  key: 'survey_payload',
  name: 'survey_payload',
  daysAgo: 56,
  config: () => ({
    components: [
      typedComponent(
        'sensor',
        'ctd',
        'saltmarsh:ocean:ctd',
        { serial_path: variable('ctd_port'), baud: 9600 },
        capture('Readings', 4),
      ),
      typedComponent(
        'camera',
        'sonar',
        'saltmarsh:ocean:multibeam',
        { host: variable('sonar_host'), beams: 256, sound_speed: 'from_ctd', range_m: 60 },
        { depends_on: ['ctd'], ...capture('NextPointCloud', 2) },
      ),
    ],
    modules: [registryModule('saltmarsh:ocean', '0.11.0')],
  }),
  edits: [
    { daysAgo: 39, change: set('components.sonar.attributes.range_m', 90) },
    { daysAgo: 13, by: 'pipeline', change: set('modules.saltmarsh_ocean.version', '0.12.3') },
  ],
};

/** Power, modem, and uploads of machines in remote locations. */
const fieldGateway: FragmentPlan = {
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

/** Wheels, pins, and position of a rover that drives between the vines. */
const roverDrive: FragmentPlan = {
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

const TAB = '\t';

/**
 * Company with robots for fields and coasts: few robots of each kind, in remote locations, with
 * configs edited by hand.
 */
export const saltmarsh: CompanyPlan = {
  name: 'Saltmarsh Field Robotics',
  namespace: 'saltmarsh',
  daysAgo: 63,
  utcOffsetHours: 0,
  indent: TAB,
  metadata: { head_office: 'Rua do Estaleiro 21, Setúbal', vat_number: 'PT-DEMO-0001' },
  keyNames: { engineers: 'Field laptop', pipeline: 'Build server' },
  people: [
    { email: 'ines@saltmarsh.example', role: 'owner', invitedDaysAgo: 62, lastLoginDaysAgo: 2 },
    {
      email: 'harvest@ribeira-clara.example',
      role: 'operator',
      location: 'Douro Vineyards',
      invitedDaysAgo: 5,
    },
  ],
  keys: [{ name: 'Buoy watcher', role: 'operator', daysAgo: 20 }],
  shares: [],
  fragments: [fieldGateway, roverDrive, surveyPayload],
  locations: [
    {
      name: 'Douro Vineyards',
      metadata: { contract: 'canopy_2026', nearest_town: 'Pinhão' },
      locations: [
        {
          name: 'Quinta da Ribeira Clara',
          metadata: { gate_code_in_vault: true, hectares: 31 },
          locations: [
            { name: 'Upper Terraces', machines: rovers('upper') },
            { name: 'Lower Terraces', machines: rovers('lower') },
          ],
          machines: [cellarMonitor],
        },
        { name: 'Weather Masts', machines: weatherMasts },
      ],
    },
    {
      name: 'Survey Vessel Garça',
      metadata: { call_sign: 'CTZ9', home_port: 'Setúbal' },
      locations: [
        { name: 'Aft Deck', locations: [{ name: 'ROV Hangar', machines: rovs }] },
        { name: 'On Station', machines: boatAndBuoys },
      ],
    },
    {
      name: 'Setúbal Workshop',
      machines: [
        {
          name: 'thruster_test_stand',
          daysAgo: 38,
          main: {
            contact: { daysAgo: 16 },
            config: () => ({
              components: [
                typedComponent('motor', 'under_test', 'saltmarsh:ocean:thruster', { pin: 6 }),
                typedComponent('sensor', 'load_cell', 'saltmarsh:power:hx711', {
                  newton_per_count: 0.00231,
                }),
              ],
              modules: [registryModule('saltmarsh:ocean', '0.11.0')],
            }),
            edits: [
              {
                daysAgo: 28,
                change: set('components.load_cell.attributes.newton_per_count', 0.002287),
              },
              {
                daysAgo: 19,
                change: append('modules', registryModule('saltmarsh:power', '0.5.1')),
              },
            ],
          },
        },
      ],
    },
  ],
  captures: saltmarshCaptures,
  published: NOTHING_PUBLISHED,
};
