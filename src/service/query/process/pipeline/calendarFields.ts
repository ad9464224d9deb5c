export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

// The UTC parts of a local date are the local time in a time zone.

/**
 * Returns the start of a month in UTC, in milliseconds. Months outside 0 to 11 roll over into other
 * years.
 */
export function getMonthStart(year: number, month: number): number {
  // Unlike Date.UTC, this doesn't map years below 100 to the 20th century.
  return new Date(0).setUTCFullYear(year, month, 1);
}

/** Returns the day of the year, starting with 1. */
export function getDayOfYear(local: Date): number {
  return Math.floor((local.getTime() - getMonthStart(local.getUTCFullYear(), 0)) / DAY_MS) + 1;
}

/**
 * Returns the week of the year. Weeks begin on Sunday, and week 1 begins with the first Sunday of
 * the year. The days before are in week 0.
 */
export function getWeek(local: Date): number {
  return Math.floor((getDayOfYear(local) + 6 - local.getUTCDay()) / 7);
}

/** Returns the day of the week, from 1 (Monday) to 7 (Sunday). */
export function getIsoDayOfWeek(local: Date): number {
  return local.getUTCDay() || 7;
}

/** Returns the week of the year by ISO 8601: from 1 to 53, beginning on Monday. */
export function getIsoWeek(local: Date): number {
  return Math.ceil(getDayOfYear(getThursday(local)) / 7);
}

/** Returns the year that the date's week belongs to by ISO 8601. */
export function getIsoWeekYear(local: Date): number {
  return getThursday(local).getUTCFullYear();
}

/** Returns the start of a week by ISO 8601 in UTC, in milliseconds. */
export function getIsoWeekStart(year: number, week: number): number {
  // January 4 is always in week 1.
  const fourth = getMonthStart(year, 0) + 3 * DAY_MS;
  return fourth + ((week - 1) * 7 + 1 - getIsoDayOfWeek(new Date(fourth))) * DAY_MS;
}

/** Returns the Thursday of the date's week. A week belongs to the year of its Thursday. */
function getThursday(local: Date): Date {
  return new Date(local.getTime() + (4 - getIsoDayOfWeek(local)) * DAY_MS);
}
