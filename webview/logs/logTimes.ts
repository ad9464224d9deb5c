import { localeTag } from '../ui/format';

const DAY = 86400000;

/** Formatter and parser for timestamps in one time zone: this computer's zone or UTC. */
export interface LogTimes {
  /** Formats the time of day as `HH:MM:SS.mmm`. */
  time(at: number): string;
  /** Formats the day in words. */
  day(at: number): string;
  /** Formats the day without its weekday, for narrow spaces. */
  shortDay(at: number): string;
  /** Returns true if two timestamps are on the same day. */
  isSameDay(one: number, other: number): boolean;
  /** Formats date, time, and zone. */
  full(at: number): string;
  /** Formats a duration in its largest unit, such as `3 days`. */
  span(milliseconds: number): string;
  /** Name of the time zone. */
  readonly zone: string;
  /** Formats a timestamp for a date and time input. */
  toInput(at: number): string;
  /** Parses a date and time input's value; returns NaN if it is incomplete. */
  fromInput(text: string): number;
}
const UNITS = [
  ['day', DAY],
  ['hour', 3600000],
  ['minute', 60000],
] as const;

export function logTimes(locale: string, utc: boolean): LogTimes {
  const formatDays = (dateStyle: 'full' | 'medium'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(localeTag(locale), { dateStyle, ...(utc && { timeZone: 'UTC' }) });
  const [days, shortDays] = [formatDays('full'), formatDays('medium')];
  const shift = (at: number): number => (utc ? 0 : new Date(at).getTimezoneOffset() * 60000);
  // Shifting the time by the zone's offset and formatting the result as UTC yields the local time.
  const iso = (at: number): string => new Date(at - shift(at)).toISOString();
  const zone = utc ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    zone,
    time: (at) => iso(at).slice(11, 23),
    day: (at) => days.format(at),
    shortDay: (at) => shortDays.format(at),
    isSameDay: (one, other) =>
      Math.floor((one - shift(one)) / DAY) === Math.floor((other - shift(other)) / DAY),
    full: (at) => `${iso(at).slice(0, 23).replace('T', ' ')} ${zone}`,
    span: (milliseconds) => {
      const [unit, length] = UNITS.find(([, ofUnit]) => milliseconds >= ofUnit) ?? UNITS[2];
      const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
      return Math.floor(milliseconds / length).toLocaleString(localeTag(locale), style);
    },
    toInput: (at) => iso(at).slice(0, 19),
    fromInput: (text) => new Date(utc ? `${text}Z` : text).getTime(),
  };
}
