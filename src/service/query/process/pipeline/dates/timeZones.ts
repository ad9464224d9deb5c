const MINUTE_MS = 60_000;
const FIXED = /^([+-])(\d\d):?(\d\d)?$/u;
/** Names of UTC. */
export const UTC_NAMES: ReadonlySet<string> = new Set(['UTC', 'GMT', 'Z']);

/** UTC offsets of time zones by name (`Europe/Berlin`, `+05:30`, `UTC`). */
export class TimeZones {
  readonly #formats = new Map<string, Intl.DateTimeFormat>();

  /**
   * Returns the offset in milliseconds at a given time.
   * @throws RangeError if the time zone doesn't exist.
   */
  offset(zone: string, instant: Date): number {
    if (UTC_NAMES.has(zone)) {
      return 0;
    }
    const fixed = FIXED.exec(zone);
    return fixed === null ? this.#named(zone, instant) : milliseconds(fixed);
  }

  #named(zone: string, instant: Date): number {
    let format = this.#formats.get(zone);
    if (format === undefined) {
      format = createZoneFormat(zone);
      this.#formats.set(zone, format);
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
