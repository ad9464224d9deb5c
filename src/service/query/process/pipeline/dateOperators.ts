import type { Options } from 'mingo/types';
import {
  getDayOfYear,
  getIsoDayOfWeek,
  getIsoWeek,
  getIsoWeekStart,
  getIsoWeekYear,
  getMonthStart,
  getWeek,
} from './calendarFields';
import {
  countBoundaries,
  getDayOfWeek,
  isTimeUnit,
  LENGTHS,
  shiftDate,
  type TimeUnit,
  truncateDate,
} from './dateArithmetic';
import { createDateParser, type DateParser, formatDate, type LocalTime } from './dateText';
import { type Document, isNullish } from './document';
import { isLiteralDocument } from './evaluate';
import { evaluateList, evaluateNamed } from './operands';
import { isUtc, type TimeZones } from './timeZones';

type Operator = (document: Document, argument: unknown, options: Options) => unknown;

/** Operators that return part of a local date. */
const PARTS: Readonly<Record<`$${string}`, (local: Date) => number>> = {
  $dayOfMonth: (local) => local.getUTCDate(),
  $dayOfWeek: (local) => local.getUTCDay() + 1,
  $dayOfYear: getDayOfYear,
  $hour: (local) => local.getUTCHours(),
  $isoDayOfWeek: getIsoDayOfWeek,
  $isoWeek: getIsoWeek,
  $isoWeekYear: getIsoWeekYear,
  $millisecond: (local) => local.getUTCMilliseconds(),
  $minute: (local) => local.getUTCMinutes(),
  $month: (local) => local.getUTCMonth() + 1,
  $second: (local) => local.getUTCSeconds(),
  $week: getWeek,
  $year: (local) => local.getUTCFullYear(),
};

/**
 * Returns replacements for mingo's date operators. mingo's operators use the calendar incorrectly,
 * apply today's UTC offset to other dates, and support neither null nor all time zone names.
 */
export function dateOperators(zones: TimeZones): Record<`$${string}`, Operator> {
  const parts = Object.entries(PARTS).map(
    ([name, getPart]) =>
      [name, evaluated(name, (operands) => datePart(operands, getPart, zones))] as const,
  );
  return {
    ...Object.fromEntries(parts),
    $dateAdd: evaluated('$dateAdd', (operands) => dateAdd(operands, 1, zones)),
    $dateDiff: evaluated('$dateDiff', (operands) => dateDiff(operands, zones)),
    $dateFromParts: evaluated('$dateFromParts', (operands) => dateFromParts(operands, zones)),
    $dateFromString: evaluated('$dateFromString', createDateFromString(zones)),
    $dateSubtract: evaluated('$dateSubtract', (operands) => dateAdd(operands, -1, zones)),
    $dateToParts: evaluated('$dateToParts', (operands) => dateToParts(operands, zones)),
    $dateToString: evaluated('$dateToString', (operands) => dateToString(operands, zones)),
    $dateTrunc: evaluated('$dateTrunc', (operands) => dateTrunc(operands, zones)),
  };
}

const SHIFT = ['startDate', 'unit', 'amount'];
const DIFFERENCE = ['startDate', 'endDate', 'unit'];

/** Operands of the operators that don't only have a date and a time zone. */
const NAMES: Readonly<Record<string, { required: string[]; known: string[] }>> = {
  $dateAdd: { required: SHIFT, known: [...SHIFT, 'timezone'] },
  $dateSubtract: { required: SHIFT, known: [...SHIFT, 'timezone'] },
  $dateDiff: { required: DIFFERENCE, known: [...DIFFERENCE, 'timezone', 'startOfWeek'] },
  $dateFromParts: {
    required: [],
    known: [
      ...['year', 'month', 'day', 'isoWeekYear', 'isoWeek', 'isoDayOfWeek', 'hour', 'minute'],
      ...['second', 'millisecond', 'timezone'],
    ],
  },
  $dateFromString: {
    required: ['dateString'],
    known: ['dateString', 'format', 'timezone', 'onError', 'onNull'],
  },
  $dateToParts: { required: ['date'], known: ['date', 'timezone', 'iso8601'] },
  $dateToString: { required: ['date'], known: ['date', 'format', 'timezone', 'onNull'] },
  $dateTrunc: {
    required: ['date', 'unit'],
    known: ['date', 'unit', 'binSize', 'timezone', 'startOfWeek'],
  },
};

/**
 * Returns an operator that receives the values of its operands by name. Missing values become null;
 * only operands that the expression doesn't contain are undefined.
 */
function evaluated(name: string, operator: (operands: Document) => unknown): Operator {
  const names = { required: ['date'], known: ['date', 'timezone'], ...NAMES[name] };
  return (document, argument, options) => {
    if (!isLiteralDocument(argument)) {
      const [date] = evaluateList(
        name,
        [document, Array.isArray(argument) ? argument : [argument], options],
        [1, 1],
      );
      return operator({ date });
    }
    const operands = Object.entries(evaluateNamed(name, [document, argument, options], names));
    return operator(Object.fromEntries(operands.map(([key, operand]) => [key, operand ?? null])));
  };
}

function datePart(
  { date, timezone = 'UTC' }: Document,
  getPart: (local: Date) => number,
  zones: TimeZones,
): number | null {
  return isNullish(date) || isNullish(timezone)
    ? null
    : getPart(toLocalTime(date, timezone, zones).local);
}

/** Evaluates `$dateAdd`, or `$dateSubtract` if the sign is -1. */
function dateAdd(operands: Document, sign: 1 | -1, zones: TimeZones): Date | null {
  const { startDate, unit, amount, timezone = 'UTC' } = operands;
  if ([startDate, unit, amount, timezone].some(isNullish)) return null;
  const shift = {
    amount: sign * requireInteger(amount, 'amount'),
    unit: requireUnit(unit),
    zone: requireTimeZone(timezone),
  };
  return requireRange(shiftDate(requireDate(startDate), shift, zones));
}

function dateDiff(operands: Document, zones: TimeZones): number | null {
  const { startDate, endDate, unit, timezone = 'UTC', startOfWeek = 'sunday' } = operands;
  if ([startDate, endDate, unit, timezone].some(isNullish)) return null;
  if (unit === 'week' && isNullish(startOfWeek)) return null;
  const difference = {
    unit: requireUnit(unit),
    startOfWeek: unit === 'week' ? requireDayOfWeek(startOfWeek) : 0,
    zone: requireTimeZone(timezone),
  };
  return countBoundaries([requireDate(startDate), requireDate(endDate)], difference, zones);
}

/**
 * Evaluates `$dateFromParts`. Parts outside their ranges roll over: month 13 is January of the next
 * year.
 */
function dateFromParts({ timezone = 'UTC', ...parts }: Document, zones: TimeZones): Date | null {
  if ([timezone, ...Object.values(parts)].some(isNullish)) return null;
  const getPart = (name: string, fallback?: number): number =>
    requireInteger(parts[name] ?? fallback, name);
  const isIso = 'isoWeekYear' in parts;
  const year = getPart(isIso ? 'isoWeekYear' : 'year');
  if (year < 1 || year > 9999) throw new RangeError('the year must be between 1 and 9999');
  const start = isIso
    ? getIsoWeekStart(year, getPart('isoWeek', 1))
    : getMonthStart(year, getPart('month', 1) - 1);
  const local =
    start +
    (getPart(isIso ? 'isoDayOfWeek' : 'day', 1) - 1) * LENGTHS.day +
    getPart('hour', 0) * LENGTHS.hour +
    getPart('minute', 0) * LENGTHS.minute +
    getPart('second', 0) * LENGTHS.second +
    getPart('millisecond', 0);
  return requireRange(zones.toInstant(requireTimeZone(timezone), local));
}

/**
 * Returns the operator `$dateFromString`. It keeps the last parser, because documents of a query
 * rarely have different formats.
 */
function createDateFromString(zones: TimeZones): (operands: Document) => unknown {
  let last: { format: unknown; parse: DateParser } | undefined;
  return (operands) => {
    const { dateString, format, timezone, onNull = null } = operands;
    if (isNullish(dateString)) return onNull;
    if (format === null || timezone === null) return null;
    if (last === undefined || last.format !== format) {
      const text = format === undefined ? undefined : requireText(format, 'format');
      last = { format, parse: createDateParser(text) };
    }
    return dateFromString(operands, last.parse, zones);
  };
}

/** Evaluates `$dateFromString` with a parser for its format. */
export function dateFromString(operands: Document, parse: DateParser, zones: TimeZones): unknown {
  const { dateString, timezone, onError } = operands;
  const option = timezone === undefined ? undefined : requireTimeZone(timezone);
  try {
    const { local, zone } = parse(requireText(dateString, 'date'));
    if (zone !== undefined && option !== undefined) {
      throw new TypeError("the date contains a time zone, so the timezone option can't be used");
    }
    return zones.toInstant(zone ?? option ?? 'UTC', local);
  } catch (error) {
    if (onError === undefined) throw error;
    return onError;
  }
}

function dateToParts(operands: Document, zones: TimeZones): Document | null {
  const { date, timezone = 'UTC', iso8601 = false } = operands;
  if ([date, timezone, iso8601].some(isNullish)) return null;
  const { local } = toLocalTime(date, timezone, zones);
  const day = iso8601
    ? {
        isoWeekYear: getIsoWeekYear(local),
        isoWeek: getIsoWeek(local),
        isoDayOfWeek: getIsoDayOfWeek(local),
      }
    : {
        year: local.getUTCFullYear(),
        month: local.getUTCMonth() + 1,
        day: local.getUTCDate(),
      };
  return {
    ...day,
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
  };
}

const DEFAULT_FORMAT = '%Y-%m-%dT%H:%M:%S.%L';

function dateToString(operands: Document, zones: TimeZones): unknown {
  const { date, format, timezone = 'UTC', onNull = null } = operands;
  if (isNullish(date)) return onNull;
  if (isNullish(timezone) || format === null) return null;
  const time = toLocalTime(date, timezone, zones);
  const suffix = isUtc(requireTimeZone(timezone)) ? 'Z' : '';
  return formatDate(
    time,
    format === undefined ? `${DEFAULT_FORMAT}${suffix}` : requireText(format, 'format'),
  );
}

function dateTrunc(operands: Document, zones: TimeZones): Date | null {
  const { date, unit, binSize = 1, timezone = 'UTC', startOfWeek = 'sunday' } = operands;
  if ([date, unit, binSize, timezone, startOfWeek].some(isNullish)) return null;
  if (typeof binSize !== 'number' || !Number.isInteger(binSize) || binSize < 1) {
    throw new RangeError('$dateTrunc: binSize must be a whole number greater than 0');
  }
  const truncation = {
    unit: requireUnit(unit),
    binSize,
    startOfWeek: requireDayOfWeek(startOfWeek),
    zone: requireTimeZone(timezone),
  };
  return truncateDate(requireDate(date), truncation, zones);
}

function toLocalTime(date: unknown, timezone: unknown, zones: TimeZones): LocalTime {
  const instant = requireDate(date);
  const offset = zones.offset(requireTimeZone(timezone), instant);
  return { local: new Date(instant.getTime() + offset), offset };
}

function requireDate(date: unknown): Date {
  if (date instanceof Date) return date;
  throw new TypeError(`a date is expected here, not ${describe(date)}`);
}

/** Returns the date, unless it is too far in the past or future. */
function requireRange(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new RangeError('the resulting date is out of range');
  return date;
}

function requireTimeZone(timezone: unknown): string {
  if (typeof timezone === 'string') return timezone;
  throw new TypeError(`the name of a time zone is expected, not ${describe(timezone)}`);
}

function requireText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`the ${name} must be a string, not ${describe(value)}`);
}

function requireInteger(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new TypeError(`the ${name} must be a whole number`);
}

function requireUnit(unit: unknown): TimeUnit {
  if (isTimeUnit(unit)) return unit;
  throw new RangeError(`unknown unit ${String(unit)}; use, for example, "day"`);
}

function requireDayOfWeek(name: unknown): number {
  const day = getDayOfWeek(String(name));
  if (day === -1) throw new RangeError(`unknown day ${String(name)}; use, for example, "monday"`);
  return day;
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
