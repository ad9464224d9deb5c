import { isBoolean, isListOf, isNumber, isOneOf, isShape, isString } from './guards';

/** Messages between tables and their hosts, which can be used for any kind of rows. */

/** Kinds of values in a column or cell. */
export const valueKinds = ['number', 'text', 'boolean', 'time', 'null', 'json', 'binary'] as const;
export type ValueKind = (typeof valueKinds)[number];

/**
 * A column of values in rows. Each nested field has its own column. A column doesn't change unless
 * its rows change.
 */
export interface ValueColumn {
  readonly id: string;
  /** Name of the column, such as `data.readings.temperature`. */
  readonly name: string;
}

export const isValueColumn = isShape<ValueColumn>({ id: isString, name: isString });

export interface ValueCell {
  /** ID of the column. */
  readonly column: string;
  readonly kind: ValueKind;
  /** Value on one line, shortened if it is long. */
  readonly text: string;
}

export const isValueCell = isShape<ValueCell>({
  ...{ column: isString, kind: isOneOf(...valueKinds), text: isString },
});

/** Sort order of rows by a column. */
export interface RowSort {
  /** ID of the column. */
  readonly column: string;
  readonly descending: boolean;
}

export const isRowSort = isShape<RowSort>({ column: isString, descending: isBoolean });

/** The text of a whole cell or row, truncated if it is very long. */
export interface FullText {
  readonly text: string;
  /** Number of characters in the complete text. */
  readonly characters: number;
}

export const isFullText = isShape<FullText>({ text: isString, characters: isNumber });

/** A range of rows to copy. */
export interface CopiedSpan {
  /** Index of the first row; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** IDs of the columns, in the order in which they are copied. */
  readonly columns: readonly string[];
  readonly format: 'tsv' | 'json' | 'markdown';
}

/** Guards for the members of a message about rows to copy. */
export const copiedSpan = {
  ...{ start: isNumber, end: isNumber, columns: isListOf(isString) },
  format: isOneOf('tsv', 'json', 'markdown'),
} as const;
