import { formatPlainValue } from '../../data/tables/formatCell';
import {
  type DataValue,
  getDigits,
  isExactNumber,
  nearestNumber,
  toPreciseMilliseconds,
} from '../../data/tables/dataValue';

export type FilterCondition =
  | 'contains'
  | 'containsNot'
  | 'equals'
  | 'equalsNot'
  | 'greater'
  | 'atLeast'
  | 'less'
  | 'atMost'
  | 'between'
  | 'empty'
  | 'notEmpty';

/** Condition for a column's values. */
export interface CellCondition {
  readonly condition: FilterCondition;
  /** Text that the user entered; ignored by conditions that don't need a value. */
  readonly value: string;
  /** Upper bound of `between`, inclusive. */
  readonly upTo?: string | undefined;
}

/** Returns true if a value meets a condition. @param value undefined if the row has no value */
export type CellTest = (value: DataValue | undefined) => boolean;

/**
 * Returns the test for a condition. Compares numbers by value, times chronologically (a day matches
 * all times on that day), and strings in sort order, ignoring case. A value whose type differs from
 * the entered value's type is never in a range. Negated conditions also match rows without a value.
 */
export function cellTest({ condition, value, upTo = '' }: CellCondition): CellTest {
  const typed = typedValue(value);
  switch (condition) {
    case 'empty':
      return isEmpty;
    case 'notEmpty':
      return (cell) => !isEmpty(cell);
    case 'contains':
      return containing(value);
    case 'containsNot':
      return not(containing(value));
    case 'equals':
      return equalTo(typed);
    case 'equalsNot':
      return not(equalTo(typed));
    case 'greater':
      return comparing(typed, (order) => order > 0);
    case 'atLeast':
      return comparing(typed, (order) => order >= 0);
    case 'less':
      return comparing(typed, (order) => order < 0);
    case 'atMost':
      return comparing(typed, (order) => order <= 0);
    case 'between': {
      const [from, to] = [comparing(typed, isNotBefore), comparing(typedValue(upTo), isNotAfter)];
      return (cell) => from(cell) && to(cell);
    }
  }
}

const isNotBefore = (order: number): boolean => order >= 0;
const isNotAfter = (order: number): boolean => order <= 0;

function isEmpty(cell: DataValue | undefined): boolean {
  return cell === undefined || cell === null || cell === '';
}

function not(test: CellTest): CellTest {
  return (cell) => !test(cell);
}

function containing(value: string): CellTest {
  const text = value.toLowerCase();
  return (cell) => cell !== undefined && formatPlainValue(cell).toLowerCase().includes(text);
}

function equalTo(typed: TypedValue): CellTest {
  const text = typed.text.toLowerCase();
  return (cell) => {
    if (cell === undefined) return false;
    const order = compareScalars(cell, typed);
    return order === undefined ? formatPlainValue(cell).toLowerCase() === text : order === 0;
  };
}

function comparing(typed: TypedValue, isRight: (order: number) => boolean): CellTest {
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const isText = typed.number === undefined && typed.time === undefined;
  return (cell) => {
    if (cell === undefined) return false;
    if (typeof cell === 'string') return isText && isRight(compare(cell, typed.text));
    const order = compareScalars(cell, typed);
    return order !== undefined && isRight(order);
  };
}

/**
 * Compares a timestamp with a time range; returns 0 if the range contains the timestamp. Therefore,
 * a day equals all times on that day.
 */
function compareTime(timestamp: number, { start, end }: TimeSpan): number {
  if (timestamp < start) return -1;
  return timestamp < end ? 0 : 1;
}

/**
 * Compares a number or time with the entered value; returns a negative number if it is less.
 * Returns undefined if the types differ.
 */
function compareScalars(cell: DataValue, { number, time }: TypedValue): number | undefined {
  if (cell instanceof Date) return time && compareTime(toPreciseMilliseconds(cell), time);
  const own = isExactNumber(cell) ? (numberIn(getDigits(cell)) ?? nearestNumber(cell)) : cell;
  if (number === undefined || (typeof own !== 'number' && typeof own !== 'bigint')) {
    return undefined;
  }
  if (own < number) return -1;
  if (own > number) return 1;
  // NaN can't be ordered and doesn't equal any number.
  return Number.isNaN(own) ? undefined : 0;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^[+-]?\d+$/;

/** Entered value, converted to all types that it can be compared with. */
interface TypedValue {
  readonly text: string;
  /** Value as a number; a bigint for an integer that a double can't represent. */
  readonly number: number | bigint | undefined;
  readonly time: TimeSpan | undefined;
}

function typedValue(typed: string): TypedValue {
  const text = typed.trim();
  return { text, number: numberIn(text), time: timeSpan(text) };
}

/** Parses a number. Preserves integers exactly and rounds other numbers to the nearest double. */
function numberIn(text: string): number | bigint | undefined {
  if (!NUMBER.test(text)) return undefined;
  const near = Number(text);
  const isExact = !WHOLE_NUMBER.test(text) || Number.isSafeInteger(near);
  return isExact ? near : BigInt(text.replace('+', ''));
}

/** ISO 8601 date and time, starting with the year, with a space or a `T` before the time of day. */
const TIME =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?(?:Z|([+-])(\d\d):?(\d\d)))?)?)?)?$/i;

const MINUTE_MS = 60_000;
const MILLISECOND_DIGITS = 3;
const MICROSECOND_DIGITS = 6;

/**
 * Time range that the entered text represents, in milliseconds since 1970, with microseconds as a
 * fraction.
 */
interface TimeSpan {
  readonly start: number;
  /** End of the range, exclusive. */
  readonly end: number;
}

/**
 * Returns the time range that the text represents: the whole day for a date, or sixty seconds for a
 * minute. The time is in UTC unless the text specifies a time zone. Returns undefined for invalid
 * times.
 */
function timeSpan(text: string): TimeSpan | undefined {
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
