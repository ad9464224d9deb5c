import { type Guarded, isOneOf, isOptional, isShape, isString } from '../guards';

/** Conditions on the cells in a column. */
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

export const isResultFilter = isShape({
  /** ID of the column. */
  column: isString,
  condition: isOneOf(...filterConditions),
  /** The condition's value; empty if the condition needs none. */
  value: isString,
  upTo: isOptional(isString),
});
/**
 * A condition on a column that a row must meet to be shown. Values are stored as the user typed
 * them.
 */
export type ResultFilter = Guarded<typeof isResultFilter>;
