import { type Micros, MICROS_PER_DAY } from '../micros';

/** The UTC day of a moment, in whole days since the Unix epoch. */
export function dayOf(micros: Micros): number {
  return Math.floor(micros / MICROS_PER_DAY);
}

/** The first moment of a UTC day. */
export function startOfDay(day: number): Micros {
  return day * MICROS_PER_DAY;
}
