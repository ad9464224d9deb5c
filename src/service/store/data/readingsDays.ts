import type { Micros } from '../micros';

const MICROS_PER_DAY = 86_400_000_000;

/** The UTC day of a moment, in whole days since the Unix epoch. */
export function dayOf(micros: Micros): number {
  return Math.floor(micros / MICROS_PER_DAY);
}

/** The first moment of a UTC day. */
export function startOfDay(day: number): Micros {
  return day * MICROS_PER_DAY;
}
