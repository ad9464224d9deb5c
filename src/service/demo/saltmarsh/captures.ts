import { tankTemperature, weather } from '../../../simulate/readings/environment';
import { rounds, seaWater } from '../../../simulate/readings/machine';
import type { ReadingModel } from '../../../simulate/readings/readingModel';
import type { CapturesPlan, ReadingsPlan } from '../capturePlan';

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
