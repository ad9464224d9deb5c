import { utc } from './calendar';
import { LENGTHS, MONTHS, isMonths, type TimeUnit } from './timeUnits';

/**
 * Returns the time `amount` units after a start time. If the target month is too short, returns its
 * last day.
 */
export function addTime(start: Date, amount: number, unit: TimeUnit): Date {
  if (!isMonths(unit)) {
    return new Date(start.getTime() + amount * LENGTHS[unit]);
  }
  const month = start.getUTCMonth() + amount * MONTHS[unit];
  const first = utc(start.getUTCFullYear(), month);
  const days = (utc(start.getUTCFullYear(), month + 1) - first) / LENGTHS.day;
  const day = Math.min(start.getUTCDate(), days);
  const timeOfDay = ((start.getTime() % LENGTHS.day) + LENGTHS.day) % LENGTHS.day;
  return new Date(first + (day - 1) * LENGTHS.day + timeOfDay);
}
