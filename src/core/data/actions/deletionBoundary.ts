const DAY_MS = 86_400_000;
const MICROS_PER_MS = 1_000;
/** Before 1970 there are no readings, and dates of long ago no service takes. */
export const MOST_DAYS = 20_000;

/**
 * The first moment that stays when readings older than so many days are deleted, in microseconds since 1970.
 * Days are whole ones of UTC (spec part 1): what was captured on the last of them stays, all of it.
 */
export function firstMomentKept(now: Date, days: number): number {
  return (dayOf(now) - days) * DAY_MS * MICROS_PER_MS;
}

/** Days of UTC that began after a moment, up to another one. */
export function daysBetween(from: Date, to: Date): number {
  return dayOf(to) - dayOf(from);
}

/** A number of days that was typed; nothing when it is none. */
export function daysOf(text: string): number | undefined {
  const days = /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
  return days !== undefined && days <= MOST_DAYS ? days : undefined;
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}
