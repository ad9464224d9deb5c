import { localeTag } from '../ui/localeTag';

const DAY = 86_400_000;

/** Writes and reads moments in one time zone: that of this machine, or UTC. */
export interface LogTimes {
  /** `HH:MM:SS.mmm`. */
  time(at: number): string;
  /** The day, in words. */
  day(at: number): string;
  /** The day without its weekday, for where there is little room. */
  shortDay(at: number): string;
  /** Whether two moments are of the same day. */
  isSameDay(one: number, other: number): boolean;
  /** Date, time and zone. */
  full(at: number): string;
  /** A length of time in its largest unit, such as `3 days`. */
  span(milliseconds: number): string;
  /** What the zone is called. */
  readonly zone: string;
  /** For an input of a date and a time. */
  toInput(at: number): string;
  /** NaN when the input is not complete. */
  fromInput(text: string): number;
}

const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export function logTimes(locale: string, utc: boolean): LogTimes {
  const formatDays = (dateStyle: 'full' | 'medium'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(localeTag(locale), { dateStyle, ...(utc && { timeZone: 'UTC' }) });
  const [days, shortDays] = [formatDays('full'), formatDays('medium')];
  const shift = (at: number): number => (utc ? 0 : new Date(at).getTimezoneOffset() * 60_000);
  // Written as UTC once it is moved by how far the zone is off.
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
