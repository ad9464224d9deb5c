import type { Random } from '../random';
import { door, roomClimate } from './environment';
import { battery, motorLoad, motorPower, vibration } from './drive';
import { machineStatus, position } from './machine';
import type { ReadingModel } from './readingModel';

/** One method of one component whose readings are captured. */
export interface TabularSource {
  /** Such as `rdk:component:sensor`. */
  componentType: string;
  componentName: string;
  /** As machines name it in what they upload: `Readings` of sensors, `Position` and the like. */
  methodName: string;
  model: ReadingModel;
}

/** A source together with how often it is asked, compared with the others of its machine. */
export interface WeightedSource extends TabularSource {
  weight: number;
}

function sensor(componentName: string, model: ReadingModel, weight: number): WeightedSource {
  return {
    componentType: 'rdk:component:sensor',
    componentName,
    methodName: 'Readings',
    model,
    weight,
  };
}

/** What a machine of no particular kind captures. */
export const USUAL_SOURCES: readonly WeightedSource[] = [
  sensor('vibration', vibration, 5),
  sensor('drive', motorLoad, 4),
  {
    componentType: 'rdk:component:power_sensor',
    componentName: 'battery',
    methodName: 'Readings',
    model: battery,
    weight: 3,
  },
  {
    componentType: 'rdk:component:movement_sensor',
    componentName: 'gps',
    methodName: 'Position',
    model: position,
    weight: 3,
  },
  sensor('climate', roomClimate, 2),
  {
    componentType: 'rdk:component:motor',
    componentName: 'belt',
    methodName: 'IsPowered',
    model: motorPower,
    weight: 1,
  },
  sensor('status', machineStatus, 1),
  sensor('door', door, 1),
];

/** How many captures each source has so that they are `total` together, and fit the weights. */
export function shares(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const share = Math.round((total * passed) / sum) - given;
    given += share;
    return share;
  });
}

/** Chance for one source of one part: whatever else is captured, it stays the same. */
export function chanceOf(random: Random, partName: string, source: TabularSource): Random {
  return random.of(`${partName}/${source.componentName}/${source.methodName}`);
}
