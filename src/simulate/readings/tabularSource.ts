import type { Random } from '../random';
import {
  battery,
  door,
  machineStatus,
  motorLoad,
  motorPower,
  position,
  roomClimate,
  vibration,
} from './machineReadings';
import type { ReadingModel } from './readingModel';

/** A method of a component whose readings are captured. */
export interface TabularSource {
  /** Component type, such as `rdk:component:sensor`. */
  componentType: string;
  componentName: string;
  /**
   * Method name as machines specify it in uploads: `Readings` for sensors, `Position`, and so on.
   */
  methodName: string;
  model: ReadingModel;
}

/** A source and its relative frequency on its machine. */
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

/** Sources of a generic machine. */
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

/** Distributes `total` captures across sources according to the sources' weights. */
export function shares(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let passed = 0;
  let assigned = 0;
  return weights.map((weight) => {
    passed += weight;
    const share = Math.round((total * passed) / sum) - assigned;
    assigned += share;
    return share;
  });
}

/**
 * Returns the random generator for one source on a part, which doesn't depend on other captures.
 */
export function createSourceRandom(
  random: Random,
  partName: string,
  source: TabularSource,
): Random {
  return random.of(`${partName}/${source.componentName}/${source.methodName}`);
}
