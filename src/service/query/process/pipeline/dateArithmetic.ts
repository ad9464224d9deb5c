/**
 * Returns the start of a month in UTC, in milliseconds. Months outside 0 to 11 roll over into other
 * years.
 */
function utc(year: number, month: number): number {
  // Unlike Date.UTC, this doesn't map years below 100 to the 20th century.
  return new Date(0).setUTCFullYear(year, month, 1);
}

const DAY_MS = 86_400_000;

/** Units of constant length, in milliseconds. */
export const LENGTHS = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
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

const MINUTE_MS = 60_000;
const FIXED = /^([+-])(\d\d):?(\d\d)?$/u;
/** Names of UTC. */
export const UTC_NAMES: ReadonlySet<string> = new Set(['UTC', 'GMT', 'Z']);

/** UTC offsets of time zones by name (`Europe/Berlin`, `+05:30`, `UTC`). */
export class TimeZones {
  private readonly formats = new Map<string, Intl.DateTimeFormat>();

  /**
   * Returns the offset in milliseconds at a given time.
   * @throws RangeError if the time zone doesn't exist.
   */
  offset(zone: string, instant: Date): number {
    if (UTC_NAMES.has(zone)) return 0;
    const fixed = FIXED.exec(zone);
    return fixed === null ? this.named(zone, instant) : milliseconds(fixed);
  }

  private named(zone: string, instant: Date): number {
    let format = this.formats.get(zone);
    if (format === undefined) {
      format = createZoneFormat(zone);
      this.formats.set(zone, format);
    }
    // The formatted date ends with GMT, optionally followed by an offset such as +05:30.
    const [, offset = ''] = format.format(instant).split('GMT');
    const parts = FIXED.exec(offset);
    return parts === null ? 0 : milliseconds(parts);
  }
}

function milliseconds([, sign, hours, minutes = '0']: RegExpExecArray): number {
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === '-' ? -ahead : ahead;
}

function createZoneFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch (error) {
    throw new RangeError(`unknown time zone ${timeZone}`, { cause: error });
  }
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
const REFERENCE = utc(2000, 0);
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

/** Converts a local time in a time zone to an absolute time. */
function atZone(local: number, zone: string, zones: TimeZones): Date {
  const estimate = local - zones.offset(zone, new Date(local));
  return new Date(local - zones.offset(zone, new Date(estimate)));
}

/**
 * Returns the time `amount` units after a start time. If the target month is too short, returns its
 * last day.
 */
export function addTime(start: Date, amount: number, unit: TimeUnit): Date {
  if (!isMonths(unit)) return new Date(start.getTime() + amount * LENGTHS[unit]);
  const month = start.getUTCMonth() + amount * MONTHS[unit];
  const first = utc(start.getUTCFullYear(), month);
  const days = (utc(start.getUTCFullYear(), month + 1) - first) / LENGTHS.day;
  const day = Math.min(start.getUTCDate(), days);
  const timeOfDay = ((start.getTime() % LENGTHS.day) + LENGTHS.day) % LENGTHS.day;
  return new Date(first + (day - 1) * LENGTHS.day + timeOfDay);
}
