import { evalExpr } from 'mingo/core';
import * as expressions from 'mingo/operators/expression/date';
import type { Options } from 'mingo/types';
import { type Document, isDocument, isNullish } from './document';
import {
  getDayOfWeek,
  isTimeUnit,
  type TimeZones,
  truncateDate,
  UTC_NAMES,
} from './dateArithmetic';

type Operator = (document: Document, argument: unknown, options: Options) => unknown;

const MINUTE_MS = 60_000;

/** Operators on a single date that use a time zone. */
const ZONED = [
  ...(['$dateToParts', '$dateToString', '$dayOfMonth', '$dayOfWeek', '$dayOfYear'] as const),
  ...(['$hour', '$isoDayOfWeek', '$isoWeek', '$isoWeekYear', '$millisecond', '$minute'] as const),
  ...(['$month', '$second', '$week', '$year'] as const),
];

/**
 * Operators that use mingo's implementation. Names of UTC, which mingo doesn't support, are removed
 * first.
 */
const SHIFTED = [
  ...(['$dateAdd', '$dateDiff', '$dateFromParts', '$dateFromString', '$dateSubtract'] as const),
];

/**
 * Returns replacements for the date operators that behave differently in mingo than in MongoDB. The
 * replacements support all time zone names and return null for a missing date.
 */
export function dateOperators(zones: TimeZones): Record<`$${string}`, Operator> {
  const zoned = ZONED.map((name) => [name, inZone(expressions[name], zones)] as const);
  const shifted = SHIFTED.map((name) => [name, withoutUtc(expressions[name])] as const);
  return {
    ...Object.fromEntries([...zoned, ...shifted]),
    $dateTrunc: (document, argument, options) => {
      const value: unknown = evalExpr(document, argument, options);
      return dateTrunc(isDocument(value) ? value : {}, zones);
    },
  };
}

function inZone(operator: unknown, zones: TimeZones): Operator {
  const run = operator as Operator;
  return (document, argument, options) => {
    const value: unknown = evalExpr(document, argument, options);
    const { date, timezone, ...others }: Document = isDocument(value)
      ? value
      : { date: Array.isArray(value) ? (value as unknown[])[0] : value };
    if (isNullish(date) || timezone === null) return 'onNull' in others ? others.onNull : null;
    const instant = requireDate(date);
    const offset = timezone === undefined ? 0 : zones.offset(requireTimeZone(timezone), instant);
    const literal = { ...others, date: instant, timezone: formatOffset(offset) };
    return run(document, toLiterals(literal), options);
  };
}

function withoutUtc(operator: unknown): Operator {
  const run = operator as Operator;
  return (document, argument, options) => {
    const isUtc =
      isDocument(argument) &&
      typeof argument.timezone === 'string' &&
      UTC_NAMES.has(argument.timezone);
    return run(document, isUtc ? without(argument, 'timezone') : argument, options);
  };
}

function without(document: Document, name: string): Document {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));
}

/** Returns an expression that evaluates to these values literally. */
function toLiterals(values: Document): Document {
  return Object.fromEntries(Object.entries(values).map(([name, $literal]) => [name, { $literal }]));
}

function dateTrunc(operands: Document, zones: TimeZones): Date | null {
  const { date, unit, binSize = 1, timezone = 'UTC', startOfWeek = 'sunday' } = operands;
  if ([date, unit, binSize, timezone, startOfWeek].some(isNullish)) return null;
  if (!isTimeUnit(unit)) throw new RangeError(`$dateTrunc: unknown unit ${String(unit)}`);
  if (typeof binSize !== 'number' || !Number.isInteger(binSize) || binSize < 1) {
    throw new RangeError('$dateTrunc: binSize must be a whole number greater than 0');
  }
  const day = getDayOfWeek(String(startOfWeek));
  if (day === -1) throw new RangeError(`$dateTrunc: unknown day ${String(startOfWeek)}`);
  const truncation = { unit, binSize, startOfWeek: day, zone: requireTimeZone(timezone) };
  return truncateDate(requireDate(date), truncation, zones);
}

function requireDate(date: unknown): Date {
  if (date instanceof Date) return date;
  throw new TypeError(`a date is expected here, not ${describe(date)}`);
}

function requireTimeZone(timezone: unknown): string {
  if (typeof timezone === 'string') return timezone;
  throw new TypeError(`the name of a time zone is expected, not ${describe(timezone)}`);
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

function formatOffset(milliseconds: number): string {
  const minutes = Math.abs(milliseconds) / MINUTE_MS;
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  return `${milliseconds < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
