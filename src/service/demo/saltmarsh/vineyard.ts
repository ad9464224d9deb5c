import type { JsonObject } from '@bufbuild/protobuf';
import {
  append,
  capture,
  registryModule,
  set,
  together,
  typedComponent,
  unset,
} from '../configParts';
import type { ContactPlan, EditPlan, MachinePlan } from '../plan';

/** Properties that differ between the rovers. The rovers are named after grapes. */
interface Rover {
  name: string;
  daysAgo: number;
  terrace: 'upper' | 'lower';
  maxRpm: number;
  contact?: ContactPlan;
  /** True if the rover has a second computer with a leaf camera. */
  leafCamera?: boolean;
  edits?: EditPlan[];
}

const ROVERS: readonly Rover[] = [
  {
    name: 'touriga',
    daysAgo: 54,
    terrace: 'upper',
    maxRpm: 110,
    leafCamera: true,
    edits: [
      {
        daysAgo: 36,
        change: append('log', { pattern: 'rdk.services.navigation', level: 'debug' }),
      },
      { daysAgo: 34, change: unset('log') },
      { daysAgo: 15, change: set('services.row_navigation.attributes.meters_per_sec', 0.55) },
    ],
  },
  {
    name: 'tinta_roriz',
    daysAgo: 54,
    terrace: 'upper',
    maxRpm: 110,
    edits: [{ daysAgo: 6, change: swapDirection() }],
  },
  { name: 'verdelho', daysAgo: 43, terrace: 'upper', maxRpm: 120, contact: { daysAgo: 1 } },
  { name: 'arinto', daysAgo: 43, terrace: 'lower', maxRpm: 130, leafCamera: true },
  {
    name: 'gouveio',
    daysAgo: 24,
    terrace: 'lower',
    maxRpm: 130,
    edits: [
      {
        daysAgo: 12,
        change: together(
          set('services.row_navigation.attributes.degs_per_sec', 25),
          set('services.row_navigation.attributes.position_polling_frequency_hz', 2),
        ),
      },
    ],
  },
  { name: 'sousao', daysAgo: 5, terrace: 'lower', maxRpm: 130, contact: 'never' },
];

/** Returns the rovers that work on one terrace. */
export function rovers(terrace: Rover['terrace']): MachinePlan[] {
  return ROVERS.filter((rover) => rover.terrace === terrace).map(roverMachine);
}

function roverMachine(rover: Rover): MachinePlan {
  const { contact = 'live' } = rover;
  return {
    name: rover.name,
    daysAgo: rover.daysAgo,
    metadata: { chassis: 'SM-R4', fleet_tag: `SMF-${rover.name.toUpperCase()}` },
    main: {
      contact,
      config: (fragment) => ({
        fragments: [
          {
            id: fragment('rover_drive'),
            variables: {
              max_rpm: rover.maxRpm,
              mountpoint: 'DOURO_RTCM3',
              campaign: 'canopy_2026',
            },
          },
        ],
        services: [rowNavigation(rover.terrace)],
      }),
      edits: rover.edits ?? [],
    },
    ...(rover.leafCamera === true && {
      others: {
        leaf_camera: {
          contact,
          config: leafCamera,
          edits: [
            { daysAgo: 26, change: set('components.leaf_left.attributes.frame_rate', 5) },
            {
              daysAgo: 8,
              by: 'pipeline',
              change: set('packages.mildew.version', '2026-11-02T06-00-00'),
            },
          ],
        },
      },
    }),
  };
}

function rowNavigation(terrace: Rover['terrace']): JsonObject {
  const latitude = terrace === 'upper' ? 41.18452 : 41.18297;
  return {
    name: 'row_navigation',
    namespace: 'rdk',
    type: 'navigation',
    attributes: {
      store: { type: 'memory' },
      base: 'rover',
      movement_sensor: 'rtk',
      map_type: 'GPS',
      meters_per_sec: 0.7,
      degs_per_sec: 35,
      bounding_regions: [
        {
          location: { latitude, longitude: -7.54611 },
          geometries: [{ label: `${terrace}_terraces`, type: 'box', x: 96000, y: 41000, z: 100 }],
        },
      ],
    },
  };
}

function leafCamera(): JsonObject {
  return {
    components: (['left', 'right'] as const).map((side, index) =>
      typedComponent(
        'camera',
        `leaf_${side}`,
        'webcam',
        { video_path: `video${index * 2}`, width_px: 1920, height_px: 1080, frame_rate: 10 },
        capture('ReadImage', 0.5, { mime_type: 'image/jpeg' }),
      ),
    ),
    services: [
      {
        name: 'mildew_model',
        namespace: 'rdk',
        type: 'mlmodel',
        model: 'saltmarsh:tflite:edge',
        attributes: { model_path: '${packages.ml_model.mildew}/mildew.tflite', num_threads: 2 },
      },
      {
        name: 'mildew',
        namespace: 'rdk',
        type: 'vision',
        model: 'mlmodel',
        attributes: { mlmodel_name: 'mildew_model', default_minimum_confidence: 0.8 },
      },
    ],
    modules: [registryModule('saltmarsh:tflite', '0.3.6')],
    packages: [
      {
        name: 'mildew',
        package: 'saltmarsh/mildew',
        type: 'ml_model',
        version: '2026-09-14T06-00-00',
      },
    ],
  };
}

/**
 * Returns a change for a rebuilt drive that turns in the opposite direction. The change overrides
 * the fragment for one rover, which avoids a second fragment.
 */
function swapDirection(): EditPlan['change'] {
  return (config, fragment) => {
    config.fragment_mods = [
      {
        fragment_id: fragment('rover_drive'),
        mods: [
          {
            $set: {
              'components.left_wheels.attributes.dir_flip': true,
              'components.right_wheels.attributes.dir_flip': true,
            },
          },
          { $unset: { 'components.left_wheels.attributes.pwm_freq': '' } },
        ],
      },
    ];
  };
}
