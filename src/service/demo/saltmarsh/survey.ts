import type { JsonObject } from '@bufbuild/protobuf';
import {
  append,
  capture,
  frame,
  registryModule,
  set,
  together,
  typedComponent,
} from '../configParts';
import type { MachinePlan } from '../plan';

const THRUSTERS = ['fore_port', 'fore_starboard', 'aft_port', 'aft_starboard', 'lift', 'pitch'];
const FIRST_THRUSTER_PIN = 6;

/** Remotely operated vehicles, each with one computer on deck and one in the vehicle. */
export const rovs: MachinePlan[] = [
  { name: 'rov_lontra', daysAgo: 52, depthRating: 300, tether: 350 },
  { name: 'rov_enguia', daysAgo: 22, depthRating: 150, tether: 200 },
].map(({ name, daysAgo, depthRating, tether }) => ({
  name,
  daysAgo,
  metadata: { depth_rating_m: depthRating, tether_m: tether, certificate: 'SMF-C-0417' },
  main: {
    config: (fragment) => ({
      fragments: [
        {
          id: fragment('field_gateway'),
          variables: {
            modem_device: '/dev/cdc-wdm1',
            sync_interval_mins: 30,
            campaign: 'berlengas_2026',
          },
        },
      ],
      components: [
        typedComponent('input_controller', 'pilot', 'gamepad', { auto_reconnect: true }),
        typedComponent('motor', 'tether_winch', 'saltmarsh:ocean:winch', {
          port: '/dev/ttyUSB0',
          drum_diameter_mm: 320,
          max_rpm: 24,
        }),
      ],
      remotes: [{ name: 'vehicle', address: `${name}-vehicle.garca.saltmarsh.example:8080` }],
      modules: [registryModule('saltmarsh:ocean', '0.11.0')],
    }),
    edits: [
      { daysAgo: 20, change: set('components.tether_winch.attributes.max_rpm', 18) },
      { daysAgo: 13, by: 'pipeline', change: set('modules.saltmarsh_ocean.version', '0.12.3') },
    ],
  },
  others: {
    vehicle: {
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('survey_payload'),
            variables: { ctd_port: '/dev/ttyS2', sonar_host: '192.168.2.42' },
          },
        ],
        ...vehicle(depthRating),
      }),
      edits: [
        {
          daysAgo: 17,
          change: together(
            set('components.lift.attributes.reversed', true),
            set('components.pitch.attributes.pin', 14),
          ),
        },
        {
          daysAgo: 11,
          change: append(
            'components',
            typedComponent('camera', 'aft_camera', 'saltmarsh:ocean:h264', {
              device: '/dev/video2',
              bitrate_kbps: 3000,
            }),
          ),
        },
        { daysAgo: 2, change: set('components.depth.attributes.fluid_density', 1027.2) },
      ],
    },
  },
}));

function vehicle(depthRating: number): JsonObject {
  return {
    components: [
      typedComponent('board', 'navigator', 'saltmarsh:ocean:navigator', { pwm_freq: 50 }),
      ...THRUSTERS.map((name, index) =>
        typedComponent(
          'motor',
          name,
          'saltmarsh:ocean:thruster',
          { board: 'navigator', pin: FIRST_THRUSTER_PIN + index, max_newton: 48 },
          { depends_on: ['navigator'] },
        ),
      ),
      typedComponent('movement_sensor', 'dvl', 'saltmarsh:ocean:dvl', { host: '192.168.2.95' }),
      typedComponent(
        'sensor',
        'depth',
        'saltmarsh:ocean:bar30',
        { i2c_bus: '6', fluid_density: 1025, alarm_m: depthRating * 0.9 },
        capture('Readings', 5),
      ),
      typedComponent(
        'camera',
        'fore_camera',
        'saltmarsh:ocean:h264',
        { device: '/dev/video0', bitrate_kbps: 6000 },
        frame('world', [310, 0, 40]),
      ),
      typedComponent('servo', 'camera_tilt', 'saltmarsh:ocean:servo', {
        board: 'navigator',
        pin: 16,
        min_deg: -45,
        max_deg: 45,
      }),
    ],
    services: [
      {
        name: 'bottom_map',
        namespace: 'rdk',
        type: 'slam',
        model: 'saltmarsh:ocean:bathymetry',
        attributes: {
          camera: { name: 'sonar' },
          movement_sensor: { name: 'dvl' },
          use_live_data: true,
        },
      },
    ],
  };
}

/** Unmanned boat and the buoys that it visits. */
export const boatAndBuoys: MachinePlan[] = [
  {
    name: 'usv_salmonete',
    daysAgo: 49,
    metadata: { registration: 'LX-4471-AL', length_m: 5.2 },
    main: {
      contact: { daysAgo: 4 },
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('survey_payload'),
            variables: { ctd_port: '/dev/ttyS0', sonar_host: '192.168.8.20' },
          },
          {
            id: fragment('field_gateway'),
            prefix: 'deck',
            variables: {
              modem_device: '/dev/cdc-wdm0',
              sync_interval_mins: 20,
              campaign: 'sado_2026',
            },
          },
        ],
        fragment_mods: [
          {
            fragment_id: fragment('survey_payload'),
            mods: [{ $set: { 'components.sonar.attributes.beams': 512 } }],
          },
        ],
        components: [
          typedComponent('base', 'hull', 'saltmarsh:ocean:skid_steer_boat', {
            motors: [
              { name: 'port_motor', x_offset_mm: -420 },
              { name: 'starboard_motor', x_offset_mm: 420 },
            ],
            length_mm: 5200,
            width_mm: 1900,
          }),
          ...['port', 'starboard'].map((side, index) =>
            typedComponent('motor', `${side}_motor`, 'saltmarsh:ocean:cruise_esc', {
              can_id: 32 + index,
              max_rpm: 1400,
            }),
          ),
          typedComponent('movement_sensor', 'gnss_compass', 'gps-nmea', {
            connection_type: 'serial',
            serial_attributes: { serial_path: '/dev/ttyS3', serial_baud_rate: 38400 },
          }),
        ],
      }),
      edits: [
        { daysAgo: 37, change: set('components.port_motor.attributes.max_rpm', 1250) },
        { daysAgo: 36, change: set('components.starboard_motor.attributes.max_rpm', 1250) },
        {
          daysAgo: 14,
          change: append('log', { pattern: 'saltmarsh.ocean.*', level: 'warn' }),
        },
      ],
    },
  },
  ...['tejo', 'sado'].map((estuary, index) => ({
    name: `buoy_${estuary}`,
    daysAgo: 45 - index,
    metadata: { mooring_depth_m: 12 + index * 7, light: 'Fl Y 5s' },
    main: {
      config: () => ({
        components: [
          typedComponent(
            'sensor',
            'water_quality',
            'saltmarsh:ocean:sonde',
            { port: '/dev/ttyUSB0', parameters: ['turbidity', 'chlorophyll', 'oxygen'] },
            capture('Readings', 0.0033),
          ),
          typedComponent('movement_sensor', 'waves', 'saltmarsh:imu:bno085', { i2c_bus: '1' }),
        ],
        modules: [
          registryModule('saltmarsh:ocean', '0.12.3'),
          registryModule('saltmarsh:imu', '0.2.2'),
        ],
      }),
      edits: [
        {
          daysAgo: 25 + index,
          change: set('components.water_quality.attributes.wiper_interval_min', 30),
        },
      ],
    },
  })),
];
