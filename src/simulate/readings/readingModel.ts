import type { JsonObject } from '@bufbuild/protobuf';
import type { Random } from '../random';

/**
 * Returns the data of a component at a given time, in the form in which machines upload it: sensor
 * readings are under `readings`. The time only increases.
 */
export type Measure = (at: Date) => JsonObject;

/**
 * A kind of component. Each instance has its own random generator, and therefore its own behavior.
 */
export type ReadingModel = (random: Random) => Measure;

/** Rounds to a number of decimals, as instruments do. */
export function rounded(value: number, decimals = 2): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
