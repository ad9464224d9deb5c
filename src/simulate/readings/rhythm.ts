import type { Random } from '../random';

const MS_PER_HOUR = 3_600_000;
const HOURS_PER_DAY = 24;
const WARMEST_HOUR = 15;
const SATURDAY = 6;
const FIRST_SHIFT_HOUR = 6;
const LAST_SHIFT_HOUR = 22;
const WEEKEND_LOAD = 0.15;
const NIGHT_LOAD = 0.25;

/** The hour of the day in UTC, with its fraction. */
export function hourOf(at: Date): number {
  return (at.getTime() / MS_PER_HOUR) % HOURS_PER_DAY;
}

/** From −1 before dawn to 1 in the afternoon. */
export function dailySwing(at: Date): number {
  return Math.cos(((hourOf(at) - WARMEST_HOUR) / HOURS_PER_DAY) * 2 * Math.PI);
}

/** How busy a site is, from 0 to 1: two shifts on working days, little at night and weekends. */
export function siteLoad(at: Date): number {
  const hour = hourOf(at);
  if (at.getUTCDay() % SATURDAY === 0) {
    return WEEKEND_LOAD;
  }
  return hour >= FIRST_SHIFT_HOUR && hour < LAST_SHIFT_HOUR ? 1 : NIGHT_LOAD;
}

/** Where something stands in a cycle of so many hours, from 0 up to 1. */
export function cyclePhase(at: Date, hours: number, offset: number): number {
  return (at.getTime() / MS_PER_HOUR / hours + offset) % 1;
}

/**
 * A value that wanders and is drawn back to 0, for what changes slowly and without a plan.
 * @param memory from 0 to 1: how much of the last value is in the next.
 */
export function wandering(random: Random, deviation: number, memory = 0.95): () => number {
  const step = deviation * Math.sqrt(1 - memory * memory);
  let value = random.normal(deviation);
  return () => (value = memory * value + random.normal(step));
}
