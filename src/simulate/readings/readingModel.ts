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

/** Rounds to a given number of decimal places, as instruments do. */
export function rounded(value: number, decimals = 2): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

const MS_PER_HOUR = 3_600_000;
const HOURS_PER_DAY = 24;
const WARMEST_HOUR = 15;
const SATURDAY = 6;
const FIRST_SHIFT_HOUR = 6;
const LAST_SHIFT_HOUR = 22;
const WEEKEND_LOAD = 0.15;
const NIGHT_LOAD = 0.25;

/** Returns the hour of the day in UTC, including its fraction. */
export function getHourOfDay(at: Date): number {
  return (at.getTime() / MS_PER_HOUR) % HOURS_PER_DAY;
}

/** Returns the value of a daily cycle, from −1 before dawn to 1 in the afternoon. */
export function dailySwing(at: Date): number {
  return Math.cos(((getHourOfDay(at) - WARMEST_HOUR) / HOURS_PER_DAY) * 2 * Math.PI);
}

/**
 * Returns the activity at a site, from 0 to 1. There are two shifts on working days, and little
 * activity at night and on weekends.
 */
export function siteLoad(at: Date): number {
  const hour = getHourOfDay(at);
  if (at.getUTCDay() % SATURDAY === 0) return WEEKEND_LOAD;
  return hour >= FIRST_SHIFT_HOUR && hour < LAST_SHIFT_HOUR ? 1 : NIGHT_LOAD;
}

/**
 * Returns the phase of a cycle that takes the given number of hours, from 0 up to, but not
 * including, 1.
 */
export function cyclePhase(at: Date, hours: number, offset: number): number {
  return (at.getTime() / MS_PER_HOUR / hours + offset) % 1;
}

/**
 * Returns a generator for a random walk that reverts to 0. It is suitable for values that change
 * slowly and irregularly.
 * @param memory weight of the previous value in the next value, from 0 to 1.
 */
export function wandering(random: Random, deviation: number, memory = 0.95): () => number {
  const step = deviation * Math.sqrt(1 - memory * memory);
  let value = random.normal(deviation);
  return () => (value = memory * value + random.normal(step));
}
