import { utc } from './calendar';
import { LENGTHS, MONTHS, isMonths, type TimeUnit } from './timeUnits';
import type { TimeZones } from './timeZones';

/** Validated arguments of `$dateTrunc`. */
export interface Truncation {
  unit: TimeUnit;
  /** Number of units per bin. Bins are counted from the start of the year 2000. */
  binSize: number;
  /** Day of the week, 0 for Sunday. */
  startOfWeek: number;
  zone: string;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Reference date for counting days, a Saturday. */
const REFERENCE = utc(2000, 0);
const REFERENCE_DAY = 6;

/**
 * Returns the number of a day of the week, given its name or the first three letters of its name;
 * -1 if unknown.
 */
export function getDayOfWeek(name: string): number {
  return DAYS.indexOf(name.toLowerCase().slice(0, 3));
}

/** Returns the start of the bin that contains a time, in the time zone of the truncation. */
export function truncateDate(instant: Date, truncation: Truncation, zones: TimeZones): Date {
  const { unit, binSize, zone } = truncation;
  const ahead = zones.offset(zone, instant);
  const local = instant.getTime() + ahead;
  if (isMonths(unit)) {
    const date = new Date(local);
    const months = (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();
    return atZone(utc(2000, floor(months, MONTHS[unit] * binSize)), zone, zones);
  }
  const start = REFERENCE + (unit === 'week' ? daysUntil(truncation.startOfWeek) * LENGTHS.day : 0);
  const bin = start + floor(local - start, LENGTHS[unit] * binSize);
  return unit === 'week' || unit === 'day' ? atZone(bin, zone, zones) : new Date(bin - ahead);
}

/** Returns the number of days from the reference to the first occurrence of a day of the week. */
function daysUntil(day: number): number {
  return (day - REFERENCE_DAY + 7) % 7;
}

function floor(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

/** Converts the local time in a time zone to an absolute time. */
function atZone(local: number, zone: string, zones: TimeZones): Date {
  const estimate = local - zones.offset(zone, new Date(local));
  return new Date(local - zones.offset(zone, new Date(estimate)));
}
