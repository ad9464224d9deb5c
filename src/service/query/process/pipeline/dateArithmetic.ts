import { DAY_MS, getMonthStart, MINUTE_MS } from './calendarFields';
import type { TimeZones } from './timeZones';

/** Units of constant length, in milliseconds. */
export const LENGTHS = {
  millisecond: 1,
  second: 1000,
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
} as const;

/** Calendar units, in months. */
export const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

export type TimeUnit = keyof typeof LENGTHS | keyof typeof MONTHS;

/** Returns true if a value is a time unit, such as `hour`. */
export function isTimeUnit(value: unknown): value is TimeUnit {
  return (
    typeof value === 'string' && (Object.hasOwn(LENGTHS, value) || Object.hasOwn(MONTHS, value))
  );
}

export function isMonths(unit: TimeUnit): unit is keyof typeof MONTHS {
  return unit in MONTHS;
}

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
const REFERENCE = getMonthStart(2000, 0);
const REFERENCE_DAY = 6;

/**
 * Returns the number of a day of the week, given its name or the first three letters of its name;
 * -1 if unknown.
 */
export function getDayOfWeek(name: string): number {
  return DAYS.indexOf(name.toLowerCase().slice(0, 3));
}

/** Returns the start of the bin that contains a time, in the truncation's time zone. */
export function truncateDate(instant: Date, truncation: Truncation, zones: TimeZones): Date {
  const { unit, binSize, startOfWeek, zone } = truncation;
  const ahead = zones.offset(zone, instant);
  const local = instant.getTime() + ahead;
  if (isMonths(unit)) {
    const month = floor(getMonthNumber(new Date(local)), MONTHS[unit] * binSize);
    return zones.toInstant(zone, getMonthStart(2000, month));
  }
  const start = unit === 'week' ? getFirstWeekStart(startOfWeek) : REFERENCE;
  const bin = start + floor(local - start, LENGTHS[unit] * binSize);
  return LENGTHS[unit] < LENGTHS.day ? new Date(bin - ahead) : zones.toInstant(zone, bin);
}

/** Returns the number of months since the reference. */
function getMonthNumber(local: Date): number {
  return (local.getUTCFullYear() - 2000) * 12 + local.getUTCMonth();
}

/** Returns the start of the first week, in milliseconds, that begins on or after the reference. */
function getFirstWeekStart(startOfWeek: number): number {
  return REFERENCE + ((startOfWeek - REFERENCE_DAY + 7) % 7) * LENGTHS.day;
}

function floor(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

/**
 * Returns the time `amount` units after a start time. If the target month is too short, returns its
 * last day.
 */
export function addTime(start: Date, amount: number, unit: TimeUnit): Date {
  if (!isMonths(unit)) return new Date(start.getTime() + amount * LENGTHS[unit]);
  const month = start.getUTCMonth() + amount * MONTHS[unit];
  const first = getMonthStart(start.getUTCFullYear(), month);
  const days = (getMonthStart(start.getUTCFullYear(), month + 1) - first) / LENGTHS.day;
  const day = Math.min(start.getUTCDate(), days);
  const timeOfDay = ((start.getTime() % LENGTHS.day) + LENGTHS.day) % LENGTHS.day;
  return new Date(first + (day - 1) * LENGTHS.day + timeOfDay);
}

/** Validated arguments of `$dateAdd`. */
export interface Shift {
  /** Number of units. Negative numbers result in earlier times. */
  amount: number;
  unit: TimeUnit;
  zone: string;
}

/**
 * Like `addTime`, but counts days and longer units in local time. The result has the same time of
 * day even if the time zone's offset changes.
 */
export function shiftDate(start: Date, { amount, unit, zone }: Shift, zones: TimeZones): Date {
  if (!isMonths(unit) && LENGTHS[unit] < LENGTHS.day) return addTime(start, amount, unit);
  const local = new Date(start.getTime() + zones.offset(zone, start));
  return zones.toInstant(zone, addTime(local, amount, unit).getTime());
}

/** Validated arguments of `$dateDiff`. */
export interface Difference {
  unit: TimeUnit;
  /** Day of the week, 0 for Sunday. */
  startOfWeek: number;
  zone: string;
}

/**
 * Returns the number of unit boundaries, such as midnights, between two times. The number is
 * negative if the end is before the start.
 */
export function countBoundaries(
  [start, end]: readonly [Date, Date],
  { unit, startOfWeek, zone }: Difference,
  zones: TimeZones,
): number {
  const [before, after] = [zones.offset(zone, start), zones.offset(zone, end)];
  const [from, to] = [start.getTime() + before, end.getTime() + after];
  if (isMonths(unit)) {
    const getNumber = (local: number): number =>
      Math.floor(getMonthNumber(new Date(local)) / MONTHS[unit]);
    return getNumber(to) - getNumber(from);
  }
  const length = LENGTHS[unit];
  const origin = unit === 'week' ? getFirstWeekStart(startOfWeek) : REFERENCE;
  const boundaries = Math.floor((to - origin) / length) - Math.floor((from - origin) / length);
  // Hours and shorter units that local clocks skip don't count, and repeated ones count twice.
  return length < LENGTHS.day ? boundaries + Math.trunc((before - after) / length) : boundaries;
}
