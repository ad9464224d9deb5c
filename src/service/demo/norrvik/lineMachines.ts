import type { JsonObject } from '@bufbuild/protobuf';
import { append, set } from '../configEdits';
import { capture, component, frame, registryModule, service } from '../configParts';
import type { EditPlan, MachinePlan } from '../plan';

/** Properties that differ between the lines. */
export interface Line {
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

export function palletizer(line: Line): MachinePlan {
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

export function infeed({ number, built, beltRpm }: Line): MachinePlan {
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
    if (conveyor !== undefined) {
      conveyor.variables['max-rpm'] = rpm;
    }
  };
}

export function wrapper({ number, built }: Line): MachinePlan {
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

export function labelStation({ number, built, cameraSerials }: Line): MachinePlan {
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
