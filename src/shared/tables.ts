import { type Guarded, isBoolean, isListOf, isNumber, isOneOf, isShape, isString } from './guards';

/** Messages between tables and their hosts. They can be used for rows of any kind. */

/** Kinds of values in a column or cell. */
export const valueKinds = ['number', 'text', 'boolean', 'time', 'null', 'json', 'binary'] as const;
export type ValueKind = (typeof valueKinds)[number];

export const isValueColumn = isShape({
  id: isString,
  /** Name of the column, such as `data.readings.temperature`. */
  name: isString,
});
/**
 * A column of values in rows. Each nested field has its own column. A column doesn't change unless
 * its rows change.
 */
export type ValueColumn = Guarded<typeof isValueColumn>;

export const isValueCell = isShape({
  /** ID of the column. */
  column: isString,
  kind: isOneOf(...valueKinds),
  /** Value on one line, shortened if it is long. */
  text: isString,
});
export type ValueCell = Guarded<typeof isValueCell>;

export const isRowSort = isShape({
  /** ID of the column. */
  column: isString,
  descending: isBoolean,
});
/** Sort order of rows by a column. */
export type RowSort = Guarded<typeof isRowSort>;

/** The text of a whole cell or row, truncated if it is very long. */
export const isFullText = isShape({
  text: isString,
  /** Number of characters in the complete text. */
  characters: isNumber,
});

/** Guards for the members of a message about a range of rows to copy. */
export const copiedSpan = {
  /** Index of the first row; `end` is exclusive. */
  start: isNumber,
  end: isNumber,
  /** IDs of the columns, in the order in which they are copied. */
  columns: isListOf(isString),
  format: isOneOf('tsv', 'json', 'markdown'),
} as const;
