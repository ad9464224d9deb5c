import { getOwn } from '../../../../base/getOwn';
import {
  getDayOfYear,
  getIsoDayOfWeek,
  getIsoWeek,
  getIsoWeekStart,
  getIsoWeekYear,
  getMonthStart,
  getWeek,
} from './calendarFields';
import { LENGTHS } from './dateArithmetic';
import { formatOffset } from './timeZones';

const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

/** Local time in a time zone. */
export interface LocalTime {
  /** Date whose UTC parts are the local time. */
  local: Date;
  /** Offset from UTC in milliseconds. */
  offset: number;
}

/** Format specifiers of `$dateToString`. */
const FORMATTERS: Readonly<Record<string, (time: LocalTime) => string>> = {
  '%': () => '%',
  b: ({ local }) => getMonthName(local).slice(0, 3),
  B: ({ local }) => getMonthName(local),
  d: ({ local }) => padded(local.getUTCDate(), 2),
  G: ({ local }) => formatYear(getIsoWeekYear(local)),
  H: ({ local }) => padded(local.getUTCHours(), 2),
  j: ({ local }) => padded(getDayOfYear(local), 3),
  L: ({ local }) => padded(local.getUTCMilliseconds(), 3),
  m: ({ local }) => padded(local.getUTCMonth() + 1, 2),
  M: ({ local }) => padded(local.getUTCMinutes(), 2),
  S: ({ local }) => padded(local.getUTCSeconds(), 2),
  u: ({ local }) => String(getIsoDayOfWeek(local)),
  U: ({ local }) => padded(getWeek(local), 2),
  V: ({ local }) => padded(getIsoWeek(local), 2),
  w: ({ local }) => String(local.getUTCDay() + 1),
  Y: ({ local }) => formatYear(local.getUTCFullYear()),
  z: ({ offset }) => formatOffset(offset),
  Z: ({ offset }) => String(offset / LENGTHS.minute),
};

/**
 * Formats a local time like `$dateToString`.
 * @throws RangeError if the format is invalid.
 */
export function formatDate(time: LocalTime, format: string): string {
  return format.replaceAll(/%(.?)/gsu, (text, specifier: string) => {
    const formatPart = getOwn(FORMATTERS, specifier);
    if (formatPart === undefined) throw unknownSpecifier(text);
    return formatPart(time);
  });
}

function getMonthName(local: Date): string {
  return MONTH_NAMES[local.getUTCMonth()] ?? '';
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

function formatYear(year: number): string {
  if (year < 0 || year > 9999) {
    throw new RangeError(`only years from 0 to 9999 can be formatted, not ${String(year)}`);
  }
  return padded(year, 4);
}

function unknownSpecifier(text: string): RangeError {
  return new RangeError(`"${text}" is not a valid part of a date format; write "%%" for "%"`);
}

const ZONE = String.raw`[A-IK-Z]|[+-]\d\d(?::?\d\d)?|UTC|GMT|[A-Za-z_]+(?:/[\w+-]+)+`;

/** Patterns for the format specifiers of `$dateFromString`. */
const PATTERNS: Readonly<Record<string, string>> = {
  b: MONTH_NAMES.map((name) => name.slice(0, 3)).join('|'),
  B: MONTH_NAMES.join('|'),
  d: String.raw`\d{1,2}`,
  G: String.raw`\d{4}`,
  H: String.raw`\d{1,2}`,
  j: String.raw`\d{1,3}`,
  L: String.raw`\d{1,3}`,
  m: String.raw`\d{1,2}`,
  M: String.raw`\d\d`,
  S: String.raw`\d\d`,
  u: '[1-7]',
  V: String.raw`\d{1,2}`,
  Y: String.raw`\d{4}`,
  z: ZONE,
  Z: String.raw`[+-]?\d{1,3}`,
};

/** Date and time by ISO 8601. The time and the time zone are optional. */
const ISO = new RegExp(
  String.raw`^(?<Y>\d{4})-(?<m>\d\d?)-(?<d>\d\d?)(?:[T ](?<H>\d\d?):(?<M>\d\d)(?::(?<S>\d\d)(?:[.,](?<L>\d{1,9}))?)?)?(?: ?(?<z>${ZONE}))?$`,
  'iu',
);

/** Texts of a date's parts, by format specifier. */
type Parts = Readonly<Record<string, string | undefined>>;

/** Date and time in a time zone. */
export interface ParsedDate {
  local: number;
  /** The time zone, if the text contains one. */
  zone: string | undefined;
}

/** Parses a date. Throws a RangeError for texts that are not dates in the parser's format. */
export type DateParser = (text: string) => ParsedDate;

/**
 * Returns a function that parses dates like `$dateFromString`. Without a format, dates must follow
 * ISO 8601.
 * @throws RangeError if the format is invalid.
 */
export function createDateParser(format?: string): DateParser {
  const pattern = format === undefined ? ISO : createPattern(format);
  const expected = format === undefined ? 'such as 2026-01-31T12:30:00Z' : `in format ${format}`;
  return (text) => {
    const parts: Parts = pattern.exec(text)?.groups ?? {};
    const local = toLocalTime(parts);
    if (local === undefined) throw new RangeError(`"${text}" is not a valid date ${expected}`);
    return { local, zone: getZone(parts) };
  };
}

/**
 * Returns the pattern for a format. Each specifier can occur only once, so that the number of ways
 * to match a text stays small.
 */
function createPattern(format: string): RegExp {
  const specifiers = new Set<string>();
  const source = format.replaceAll(/%(.?)|[$()*+.?[\\\]^{|}/]/gsu, (part, specifier?: string) => {
    if (specifier === undefined) return `\\${part}`;
    if (specifier === '%') return '%';
    const pattern = getOwn(PATTERNS, specifier);
    if (pattern === undefined) throw unknownSpecifier(part);
    if (specifiers.has(specifier)) throw new RangeError(`a format can't contain ${part} twice`);
    specifiers.add(specifier);
    return `(?<${specifier}>${pattern})`;
  });
  return new RegExp(`^${source}$`, 'iu');
}

/** Returns a local time in milliseconds; undefined if parts are missing or out of range. */
function toLocalTime(parts: Parts): number | undefined {
  const { H = '0', M = '0', S = '0', L = '0' } = parts;
  const [hour, minute, second] = [Number(H), Number(M), Number(S)];
  const day = toDay(parts);
  return day === undefined || hour > 23 || minute > 59 || second > 59
    ? undefined
    : day +
        hour * LENGTHS.hour +
        minute * LENGTHS.minute +
        second * LENGTHS.second +
        Number(L.padEnd(3, '0').slice(0, 3));
}

/** Returns the start of a day, which is given by its month, its week, or its number in the year. */
function toDay({ Y, m, b, B, d, j, G, V = '1', u = '1' }: Parts): number | undefined {
  if (G !== undefined) {
    const day = getIsoWeekStart(Number(G), Number(V)) + (Number(u) - 1) * LENGTHS.day;
    const date = new Date(day);
    return getIsoWeekYear(date) === Number(G) && getIsoWeek(date) === Number(V) ? day : undefined;
  }
  if (Y === undefined) return undefined;
  const month = m === undefined ? getMonth(b ?? B) : Number(m) - 1;
  if (month !== undefined && d !== undefined) {
    const day = getMonthStart(Number(Y), month) + (Number(d) - 1) * LENGTHS.day;
    const date = new Date(day);
    return date.getUTCMonth() === month && date.getUTCDate() === Number(d) ? day : undefined;
  }
  if (j === undefined) return undefined;
  const day = getMonthStart(Number(Y), 0) + (Number(j) - 1) * LENGTHS.day;
  return new Date(day).getUTCFullYear() === Number(Y) ? day : undefined;
}

/** Returns the number of a month, 0 for January, given its name or the start of its name. */
function getMonth(name: string | undefined): number | undefined {
  return name === undefined
    ? undefined
    : MONTH_NAMES.findIndex((month) => month.toLowerCase().startsWith(name.toLowerCase()));
}

function getZone({ z, Z }: Parts): string | undefined {
  if (Z !== undefined) return formatOffset(Number(Z) * LENGTHS.minute);
  return z?.length === 1 ? formatOffset(getLetterHours(z) * LENGTHS.hour) : z;
}

/**
 * Returns the UTC offset of a time zone with one letter: A to M without J are 1 to 12 hours ahead, N
 * to Y are 1 to 12 hours behind, and Z is UTC.
 */
function getLetterHours(letter: string): number {
  const position = letter.toUpperCase().charCodeAt(0) - 64;
  if (position === 26) return 0;
  if (position > 13) return 13 - position;
  return position > 10 ? position - 1 : position;
}
