import { plainText } from '../../../data/tables/cellText';
import {
  type DataValue,
  digitsOf,
  isExactNumber,
  nearestNumber,
} from '../../../data/tables/dataValue';
import { millisecondsOf } from '../../../data/tables/exactTime';
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

/** What the cells of a column are to be like. */
export interface CellCondition {
  readonly condition: FilterCondition;
  /** As a person typed it; of no matter where the condition needs none. */
  readonly value: string;
  /** The end of what is `between`, which belongs to it. */
  readonly upTo?: string | undefined;
}

/** @param value undefined where a row has none */
export type CellTest = (value: DataValue | undefined) => boolean;

/**
 * Tells whether cells are as a condition says. Numbers are compared by size, times by when (a day is all
 * of it), and texts, whatever the case of their letters, as they are sorted; what is of another kind than
 * what was typed is not between anything. What denies something is true of cells without a value, too.
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
  return (cell) => cell !== undefined && plainText(cell).toLowerCase().includes(text);
}

function equalTo(typed: TypedValue): CellTest {
  const text = typed.text.toLowerCase();
  return (cell) => {
    if (cell === undefined) return false;
    const order = orderOfScalars(cell, typed);
    return order === undefined ? plainText(cell).toLowerCase() === text : order === 0;
  };
}

function comparing(typed: TypedValue, isRight: (order: number) => boolean): CellTest {
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const isText = typed.number === undefined && typed.time === undefined;
  return (cell) => {
    if (cell === undefined) return false;
    if (typeof cell === 'string') return isText && isRight(compare(cell, typed.text));
    const order = orderOfScalars(cell, typed);
    return order !== undefined && isRight(order);
  };
}

/** 0 when a moment is within a time: a day is the same as all of its moments. */
function orderOfTime(moment: number, { start, end }: TimeSpan): number {
  if (moment < start) return -1;
  return moment < end ? 0 : 1;
}

/** Below 0 when a number or time comes before what was typed; undefined when they are no two of a kind. */
function orderOfScalars(cell: DataValue, { number, time }: TypedValue): number | undefined {
  if (cell instanceof Date) return time && orderOfTime(millisecondsOf(cell), time);
  const own = isExactNumber(cell) ? (numberIn(digitsOf(cell)) ?? nearestNumber(cell)) : cell;
  if (number === undefined || (typeof own !== 'number' && typeof own !== 'bigint'))
    return undefined;
  if (own < number) return -1;
  if (own > number) return 1;
  // NaN is neither before nor after, and no number.
  return Number.isNaN(own) ? undefined : 0;
}
