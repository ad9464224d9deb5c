import { isOneOf, isOptional, isShape, isString } from '../guards';

/** Conditions on the cells of a column. */
export const filterConditions = [
  'contains',
  'containsNot',
  'equals',
  'equalsNot',
  'greater',
  'atLeast',
  'less',
  'atMost',
  /** From one value to another, inclusive. */
  'between',
  'empty',
  'notEmpty',
] as const;
export type FilterCondition = (typeof filterConditions)[number];

/**
 * A condition on a column that a row must meet to be shown. Values are stored as the user typed
 * them.
 */
export interface ResultFilter {
  /** ID of the column. */
  readonly column: string;
  readonly condition: FilterCondition;
  /** Value of the condition; empty if the condition needs none. */
  readonly value: string;
  readonly upTo?: string | undefined;
}

const members = {
  column: isString,
  condition: isOneOf(...filterConditions),
  value: isString,
  upTo: isOptional(isString),
} as const;

export const isResultFilter = isShape<ResultFilter>(members);
