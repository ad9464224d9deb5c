import { type Micros, MICROS_PER_DAY } from '../micros';

/** Returns the UTC day of a timestamp, in whole days since the Unix epoch. */
export function toUtcDay(micros: Micros): number {
  return Math.floor(micros / MICROS_PER_DAY);
}

/** Returns the start of a UTC day. */
export function startOfDay(day: number): Micros {
  return day * MICROS_PER_DAY;
}
