import type { JsonObject } from '@bufbuild/protobuf';
import type { Random } from '../random';

/**
 * Returns the data that a component provides at a given time, in the format in which machines
 * upload it; sensor readings are in the field `readings`. Must be called with increasing times.
 */
export type Measure = (at: Date) => JsonObject;

/**
 * A kind of component. Each instance has a separate random generator and therefore behaves
 * differently.
 */
export type ReadingModel = (random: Random) => Measure;

/** Rounds to a number of decimals, as instruments do. */
export function rounded(value: number, decimals = 2): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
