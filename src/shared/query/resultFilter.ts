import { isOneOf, isOptional, isShape, isString } from '../guards';

/** What the cells of a column can be asked to be like. */
export const filterConditions = [
  'contains',
  'containsNot',
  'equals',
  'equalsNot',
  'greater',
  'atLeast',
  'less',
  'atMost',
  /** From the value up to another one, both included. */
  'between',
  'empty',
  'notEmpty',
] as const;
export type FilterCondition = (typeof filterConditions)[number];

/** What rows are to have in a column to be shown. Values are as a person typed them. */
export interface ResultFilter {
  /** The column's id. */
  readonly column: string;
  readonly condition: FilterCondition;
  /** Empty where the condition needs none. */
  readonly value: string;
  readonly upTo?: string | undefined;
}

const members = {
  ...{ column: isString, condition: isOneOf(...filterConditions), value: isString },
  upTo: isOptional(isString),
} as const;

export const isResultFilter = isShape<ResultFilter>(members);
