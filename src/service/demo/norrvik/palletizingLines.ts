import type { JsonObject } from '@bufbuild/protobuf';
import {
  append,
  capture,
  component,
  frame,
  registryModule,
  remove,
  service,
  set,
  together,
  unset,
} from '../configParts';
import type { EditPlan, LocationPlan, MachinePlan } from '../plan';

/** Properties that differ between the lines. */
interface Line {
  number: number;
  /** Age in working days. */
  built: number;
  stackPattern: string;
  beltRpm: number;
  cameraSerials: { label: string; pallet: string };
  /** Edits that apply only to this line. */
  armEdits: EditPlan[];
  cellEdits: EditPlan[];
}

function palletizer(line: Line): MachinePlan {
  return {
    name: `palletizer-${line.number}`,
    daysAgo: line.built,
    metadata: {
      asset_number: `NRV-PAL-00${line.number}`,
      commissioned_by: 'I. Lindqvist',
      rated_cartons_per_hour: 540,
    },
    main: {
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('palletizer-cell'),
            variables: {
              'io-host': `10.20.${line.number}.10`,
              'stack-pattern': line.stackPattern,
            },
          },
          {
            id: fragment('inspection-camera'),
            prefix: 'pallet',
            variables: { 'camera-serial': line.cameraSerials.pallet, 'exposure-us': 6500 },
          },
        ],
        components: [
          component('camera', 'cell-overview', 'rdk:builtin:webcam', {
            video_path: 'platform-xhci-hcd.2-usb-0:1:1.0-video-index0',
            width_px: 1280,
            height_px: 720,
          }),
        ],
        network: { bind_address: ':8080' },
      }),
      edits: line.cellEdits,
    },
    others: {
      'arm-controller': { config: () => armController(line), edits: line.armEdits },
    },
  };
}

function armController(line: Line): JsonObject {
  return {
    components: [
      component(
        'arm',
        'stacker',
        'norrvik:ur-driver:ur20',
        { host: `10.20.${line.number}.11`, speed_degs_per_sec: 60, payload_kg: 15 },
        { ...frame('world', [0, 0, 450], 180), ...capture('JointPositions', 2) },
      ),
      component(
        'gripper',
        'vacuum',
        'norrvik:ur-driver:vacuum-gripper',
        { arm: 'stacker', suction_pin: 'DO0', blow_off_pin: 'DO1', hold_ms: 250 },
        { depends_on: ['stacker'], ...frame('stacker', [0, 0, 120]) },
      ),
      component('switch', 'pendant-light', 'norrvik:ur-driver:digital-out', {
        arm: 'stacker',
        pin: 'DO4',
      }),
    ],
    services: [service('motion', 'motion', 'rdk:builtin:builtin')],
    modules: [registryModule('norrvik:ur-driver', '2.6.0', { log_level: 'info' })],
  };
}

function infeed({ number, built, beltRpm }: Line): MachinePlan {
  return {
    name: `infeed-conveyor-${number}`,
    daysAgo: built,
    metadata: { asset_number: `NRV-CNV-01${number}`, belt_length_mm: 6200 },
    main: {
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('conveyor'),
            variables: { 'io-host': `10.20.${number}.20`, 'max-rpm': beltRpm },
          },
        ],
      }),
      edits: [
        {
          daysAgo: 19 + number,
          change: (config, fragment) => {
            config.fragment_mods = [
              {
                fragment_id: fragment('conveyor'),
                mods: [
                  { $set: { 'components.photo-eye.attributes.debounce_ms': 10 + 5 * number } },
                ],
              },
            ];
          },
        },
        { daysAgo: 7 + number, change: setBeltRpm(beltRpm + 15) },
      ],
    },
  };
}

/** Returns a change that sets the `max-rpm` variable of the first import. */
function setBeltRpm(rpm: number): EditPlan['change'] {
  return (config) => {
    const [conveyor] = config.fragments as { variables: JsonObject }[];
    if (conveyor !== undefined) conveyor.variables['max-rpm'] = rpm;
  };
}

function wrapper({ number, built }: Line): MachinePlan {
  return {
    name: `stretch-wrapper-${number}`,
    daysAgo: built - 1,
    metadata: { asset_number: `NRV-WRP-00${number}`, film_supplier: 'Kalmar Folie' },
    main: {
      config: () => ({
        components: [
          component('board', 'plc', 'norrvik:modbus-io:coupler', { host: `10.20.${number}.30` }),
          component(
            'motor',
            'turntable',
            'norrvik:modbus-io:vfd',
            { board: 'plc', max_rpm: 14, ramp_rpm_per_sec: 4 },
            { depends_on: ['plc'] },
          ),
          component(
            'gantry',
            'film-carriage',
            'rdk:builtin:single-axis',
            {
              motor: 'carriage-drive',
              board: 'plc',
              length_mm: 2400,
              mm_per_rev: 80,
              limit_pins: ['DI1', 'DI2'],
              limit_pin_enabled_high: true,
              gantry_mm_per_sec: 180,
            },
            { depends_on: ['carriage-drive'] },
          ),
          component('motor', 'carriage-drive', 'norrvik:modbus-io:vfd', {
            board: 'plc',
            max_rpm: 150,
          }),
        ],
        modules: [registryModule('norrvik:modbus-io', '1.8.0')],
      }),
      edits: [
        {
          daysAgo: 13 + number,
          change: set('components.film-carriage.attributes.gantry_mm_per_sec', 140),
        },
      ],
    },
  };
}

function labelStation({ number, built, cameraSerials }: Line): MachinePlan {
  return {
    name: `label-inspection-${number}`,
    daysAgo: built - 2,
    metadata: { asset_number: `NRV-LBL-00${number}` },
    main: {
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('edge-computer'),
            variables: { site: 'gothenburg-palletizing', 'sync-interval-mins': 1 },
          },
          {
            id: fragment('inspection-camera'),
            prefix: 'label',
            variables: { 'camera-serial': cameraSerials.label, 'exposure-us': 900 },
          },
        ],
        triggers: [
          {
            name: 'station-offline',
            event: { type: 'part_offline' },
            notifications: [
              {
                type: 'email',
                value: 'line-maintenance@norrvik.example',
                seconds_between_notifications: 1800,
              },
            ],
          },
        ],
      }),
      edits: [
        {
          daysAgo: 10,
          change: append(
            'services',
            service('vision', 'barcode', 'norrvik:onnx:barcode', { camera_name: 'label-cropped' }),
          ),
        },
      ],
    },
  };
}

const LINES: readonly Line[] = [
  {
    number: 1,
    built: 64,
    stackPattern: 'brick',
    beltRpm: 90,
    cameraSerials: { label: '40338121', pallet: '40338127' },
    armEdits: [
      { daysAgo: 47, change: set('components.stacker.attributes.speed_degs_per_sec', 80) },
      {
        daysAgo: 21,
        change: together(
          set('components.vacuum.attributes.suction_pin', 'DO6'),
          set('components.vacuum.attributes.blow_off_pin', 'DO7'),
        ),
      },
      { daysAgo: 6, change: set('components.stacker.attributes.speed_degs_per_sec', 95) },
    ],
    cellEdits: [{ daysAgo: 33, change: append('jobs', nightlyHoming('02:40')) }],
  },
  {
    number: 2,
    built: 61,
    stackPattern: 'pinwheel',
    beltRpm: 90,
    cameraSerials: { label: '40338140', pallet: '40339002' },
    armEdits: [
      {
        daysAgo: 37,
        change: append(
          'components',
          component('sensor', 'wrist-force', 'norrvik:ur-driver:wrench', { arm: 'stacker' }),
        ),
      },
      { daysAgo: 18, change: set('components.stacker.attributes.payload_kg', 17.5) },
    ],
    cellEdits: [
      {
        daysAgo: 20,
        change: (config, fragment) => {
          config.fragment_mods = [
            {
              fragment_id: fragment('palletizer-cell'),
              mods: [
                {
                  $set: {
                    'services.stacking.attributes.layers': 6,
                    'components.pallet-height.frame.translation.z': 2450,
                  },
                },
                { $unset: { 'services.stacking.attributes.slip_sheet_every': '' } },
              ],
            },
          ];
        },
      },
    ],
  },
  {
    number: 3,
    built: 27,
    stackPattern: 'column',
    beltRpm: 120,
    cameraSerials: { label: '40351766', pallet: '40351770' },
    armEdits: [
      { daysAgo: 22, change: set('components.stacker.attributes.host', '10.20.3.12') },
      { daysAgo: 9, change: remove('components', 'pendant-light') },
    ],
    cellEdits: [
      { daysAgo: 5, change: set('log', [{ pattern: 'norrvik.palletizing.*', level: 'debug' }]) },
      { daysAgo: 2, change: unset('log') },
    ],
  },
];

/** Locations of the lines, each with its four machines. */
export const palletizingLines: LocationPlan[] = LINES.map((line) => ({
  name: `Line ${line.number}`,
  metadata: {
    cost_center: `GOT-4${line.number}0`,
    shift_lead_extension: 4010 + line.number * 100,
  },
  machines: [palletizer(line), infeed(line), wrapper(line), labelStation(line)],
}));

function nightlyHoming(time: string): JsonObject {
  const [hour, minute] = time.split(':').map(Number);
  return {
    name: 'nightly-homing',
    schedule: `${minute} ${hour} * * *`,
    resource: 'stacking',
    method: 'DoCommand',
    command: { home: true },
  };
}
