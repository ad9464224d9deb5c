const DAY_MS = 86_400_000;
const MICROS_PER_MS = 1_000;
/**
 * Maximum number of days. There are no readings before 1970, and services reject dates in the
 * distant past.
 */
export const MAX_DAYS = 20_000;

/**
 * Returns the first timestamp, in microseconds since 1970, that is kept when readings older than
 * this number of days are deleted. Days are whole UTC days (spec part 1), so everything that was
 * captured on the last retained day is kept.
 */
export function getRetentionStartMicros(now: Date, days: number): number {
  return (toUtcDay(now) - days) * DAY_MS * MICROS_PER_MS;
}

/** Returns the number of UTC days that began between two timestamps. */
export function daysBetween(from: Date, to: Date): number {
  return toUtcDay(to) - toUtcDay(from);
}

/** Parses a number of days that the user entered; returns undefined if the number is invalid. */
export function parseDays(text: string): number | undefined {
  const days = /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
  return days !== undefined && days <= MAX_DAYS ? days : undefined;
}

function toUtcDay(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}
