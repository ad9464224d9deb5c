/** ISO 8601 date and time, starting with the year, with a space or a `T` before the time of day. */
const TIME =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?(?:Z|([+-])(\d\d):?(\d\d)))?)?)?)?$/i;

const MINUTE_MS = 60_000;
const MILLISECOND_DIGITS = 3;
const MICROSECOND_DIGITS = 6;

/**
 * Time range that a text represents, in milliseconds since 1970, with microseconds as a fraction.
 */
export interface TimeSpan {
  readonly start: number;
  /** End of the range, exclusive. */
  readonly end: number;
}

/**
 * Returns the time range that a text represents: the whole day for a date, or sixty seconds for a
 * minute. The time is in UTC unless the text specifies a time zone. Returns undefined for invalid
 * times.
 */
export function timeSpan(text: string): TimeSpan | undefined {
  const parts = TIME.exec(text);
  if (!parts) return undefined;
  const [, year = '', month, day, clock, second, fraction, sign, hours = '0', minutes = '0'] =
    parts;
  const written = `${year}-${month ?? '01'}-${day ?? '01'}T${clock ?? '00:00'}:${second ?? '00'}`;
  const iso = `${written}.${(fraction ?? '').padEnd(3, '0').slice(0, 3)}Z`;
  const date = new Date(iso);
  // JavaScript parses nonexistent days, such as February 30, as different days.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const start = date.getTime();
  if (fraction !== undefined && fraction.length > MILLISECOND_DIGITS) {
    return microsecondSpan(start - offset, fraction.slice(0, MICROSECOND_DIGITS));
  }
  if (month === undefined) date.setUTCFullYear(date.getUTCFullYear() + 1);
  else if (day === undefined) date.setUTCMonth(date.getUTCMonth() + 1);
  else if (clock === undefined) date.setUTCDate(date.getUTCDate() + 1);
  else date.setTime(start + clockSpan(second, fraction));
  return { start: start - offset, end: date.getTime() - offset };
}

/** @param digits digits of the fractional second, after the milliseconds */
function microsecondSpan(milliseconds: number, digits: string): TimeSpan {
  const rest = digits.slice(MILLISECOND_DIGITS).padEnd(3, '0');
  const start = milliseconds * 1_000 + Number(rest);
  return {
    start: start / 1_000,
    end: (start + 10 ** (MICROSECOND_DIGITS - digits.length)) / 1_000,
  };
}

function clockSpan(second: string | undefined, fraction: string | undefined): number {
  if (second === undefined) return MINUTE_MS;
  return fraction === undefined ? 1_000 : 10 ** (3 - Math.min(3, fraction.length));
}
