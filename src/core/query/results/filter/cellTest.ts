import { formatPlainValue } from '../../../data/tables/formatCell';
import {
  type DataValue,
  getDigits,
  isExactNumber,
  nearestNumber,
} from '../../../data/tables/dataValue';
import { toPreciseMilliseconds } from '../../../data/tables/exactTime';
import type { TimeSpan } from './timeSpan';
import { numberIn, type TypedValue, typedValue } from './typedValue';

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

/** Condition for the values of a column. */
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
 * all times on that day), and texts in sort order, ignoring case. A value whose type differs from
 * that of the entered value is never in a range. Negated conditions also match rows without a
 * value.
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
  if (number === undefined || (typeof own !== 'number' && typeof own !== 'bigint'))
    return undefined;
  if (own < number) return -1;
  if (own > number) return 1;
  // NaN can't be compared and doesn't equal any number.
  return Number.isNaN(own) ? undefined : 0;
}
