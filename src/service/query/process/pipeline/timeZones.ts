import { DAY_MS, MINUTE_MS } from './calendarFields';

const FIXED = /^([+-])(\d\d):?(\d\d)?$/u;
const UTC_NAMES: ReadonlySet<string> = new Set(['UTC', 'GMT', 'Z']);

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

  /**
   * Converts a local time in a time zone to an absolute time. When clocks are turned forward, a
   * skipped local time counts as a later one. When clocks are turned back, a repeated local time
   * counts as the first of the two.
   * @throws RangeError if the time zone doesn't exist.
   */
  toInstant(zone: string, local: number): Date {
    // No time zone changes its offset twice within these two days.
    const before = this.offset(zone, new Date(local - DAY_MS));
    const after = this.offset(zone, new Date(local + DAY_MS));
    const [early, late] = [new Date(local - before), new Date(local - after)];
    if (before === after || this.offset(zone, early) === before) return early;
    return this.offset(zone, late) === after ? late : early;
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

/** Returns true if a time zone is UTC, or a fixed offset of zero from UTC. */
export function isUtc(zone: string): boolean {
  const fixed = FIXED.exec(zone);
  return UTC_NAMES.has(zone) || (fixed !== null && milliseconds(fixed) === 0);
}

/** Formats a UTC offset in milliseconds, such as `+0530`. */
export function formatOffset(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)}`;
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
