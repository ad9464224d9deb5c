import type { JsonObject } from '@bufbuild/protobuf';
import { append, remove, set, together, unset } from '../configEdits';
import { component } from '../configParts';
import type { LocationPlan } from '../plan';
import { infeed, labelStation, type Line, palletizer, wrapper } from './lineMachines';

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
