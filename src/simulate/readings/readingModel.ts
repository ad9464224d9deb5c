import type { JsonObject } from '@bufbuild/protobuf';
import type { Random } from '../random';

/**
 * What a component answers at a moment, in the form in which machines upload it: readings of sensors
 * are under `readings`. Its moments only go forward.
 */
export type Measure = (at: Date) => JsonObject;

/** A kind of component. Each one of the kind has its own chance, and with it its own character. */
export type ReadingModel = (random: Random) => Measure;

/** Cut to so many decimals, as instruments do. */
export function rounded(value: number, decimals = 2): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
