import {
  battery,
  computerHealth,
  jointPositions,
  motorPower,
} from '../../../simulate/readings/machineReadings';
import type { CapturesPlan, ImagePlan, ReadingsPlan } from '../plan';

const WAREHOUSE = ['gothenburg-warehouse', 'production'];
const PALLETIZING = ['gothenburg-palletizing', 'production'];
const POCKETS = 'pallet-pockets-2026-11';
const CARTONS = 'carton-inspection';
const REFERENCE_SCANS = 'aisle-reference-scans';

const forkCamera = {
  componentType: 'rdk:component:camera',
  componentName: 'fork',
  methodName: 'GetImages',
};
const overviewCamera = { ...forkCamera, componentName: 'cell-overview' };
const labelCamera = { ...forkCamera, componentName: 'label-cropped', methodName: 'ReadImage' };
const lidar = {
  componentType: 'rdk:component:camera',
  componentName: 'lidar',
  methodName: 'NextPointCloud',
};

function createBatteryPlan(truck: string): ReadingsPlan {
  return {
    part: `${truck}-main`,
    source: {
      componentType: 'rdk:component:power_sensor',
      componentName: 'battery',
      methodName: 'Readings',
      model: battery,
    },
    everyMinutes: 15,
    tags: WAREHOUSE,
  };
}

function createHealthPlan(part: string, tags: string[]): ReadingsPlan {
  return {
    part,
    source: {
      componentType: 'rdk:component:sensor',
      componentName: 'edge-health',
      methodName: 'Readings',
      model: computerHealth,
    },
    everyMinutes: 20,
    tags,
  };
}

/** Images of pallets that a truck has captured. Users label them for the next model. */
const forkImages: ImagePlan[] = [66, 44, 31, 9].map((hoursAgo, index) => ({
  part: index % 3 !== 1 ? 'amr-01-fork-camera' : 'amr-04-fork-camera',
  source: forkCamera,
  hoursAgo,
  format: index % 2 === 1 ? 'png' : 'jpeg',
  tags: ['pallet-pockets'],
  // The newest image isn't labeled yet.
  ...(hoursAgo > 10 && { labeled: true, dataset: POCKETS }),
}));

export const norrvikCaptures: CapturesPlan = {
  readings: [
    createBatteryPlan('amr-01'),
    createBatteryPlan('amr-02'),
    createBatteryPlan('amr-04'),
    createHealthPlan('amr-01-main', WAREHOUSE),
    createHealthPlan('palletizer-1-main', PALLETIZING),
    {
      part: 'palletizer-1-arm-controller',
      source: {
        componentType: 'rdk:component:arm',
        componentName: 'stacker',
        methodName: 'JointPositions',
        model: jointPositions,
      },
      everyMinutes: 15,
      tags: PALLETIZING,
    },
    {
      part: 'infeed-conveyor-1-main',
      source: {
        componentType: 'rdk:component:motor',
        componentName: 'belt',
        methodName: 'IsPowered',
        model: motorPower,
      },
      everyMinutes: 20,
      tags: [],
    },
  ],
  pictures: [
    ...forkImages,
    { part: 'palletizer-2-main', source: overviewCamera, hoursAgo: 5, format: 'png', tags: [] },
    {
      part: 'palletizer-2-main',
      source: overviewCamera,
      hoursAgo: 2,
      format: 'png',
      tags: ['light-curtain'],
      labeled: true,
    },
  ],
  series: [
    {
      part: 'palletizer-2-main',
      source: overviewCamera,
      everyMinutes: 18,
      taggedEvery: 20,
      tags: ['light-curtain'],
    },
  ],
  inspections: [
    {
      part: 'label-inspection-1-main',
      source: labelCamera,
      hoursAgo: [70, 46],
      count: 80,
      dataset: CARTONS,
    },
  ],
  scans: (['binary_compressed', 'binary', 'ascii'] as const).map((encoding, index) => ({
    part: `amr-0${String(index + 1)}-main`,
    source: lidar,
    hoursAgo: 60 - 24 * index,
    encoding,
    tags: WAREHOUSE,
    dataset: REFERENCE_SCANS,
  })),
};
