import { isBoolean, isListOf, isNumber, isOneOf, isShape, isString } from './guards';

/** Messages between tables and their hosts, for any kind of rows. */

/** Kinds of values in a column or cell. */
export const valueKinds = ['number', 'text', 'boolean', 'time', 'null', 'json', 'binary'] as const;
export type ValueKind = (typeof valueKinds)[number];

/**
 * A column of values in rows; each nested field has its own. It stays the same as long as its rows.
 */
export interface ValueColumn {
  readonly id: string;
  /** For example `data.readings.temperature`. */
  readonly name: string;
}

export const isValueColumn = isShape<ValueColumn>({ id: isString, name: isString });

export interface ValueCell {
  /** The column's id. */
  readonly column: string;
  readonly kind: ValueKind;
  /** On one line, shortened. */
  readonly text: string;
}

export const isValueCell = isShape<ValueCell>({
  ...{ column: isString, kind: isOneOf(...valueKinds), text: isString },
});

/** Sort of rows by a column. */
export interface RowSort {
  /** The column's id. */
  readonly column: string;
  readonly descending: boolean;
}

export const isRowSort = isShape<RowSort>({ column: isString, descending: isBoolean });

/** A whole cell or row; only its start if it is very long. */
export interface FullText {
  readonly text: string;
  /** Number of characters of the whole text. */
  readonly characters: number;
}

export const isFullText = isShape<FullText>({ text: isString, characters: isNumber });

/** A range of rows to copy. */
export interface CopiedSpan {
  /** Indexes, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** IDs in the order in which they are copied. */
  readonly columns: readonly string[];
  readonly format: 'tsv' | 'json' | 'markdown';
}

/** The members of a message about rows to copy. */
export const copiedSpan = {
  ...{ start: isNumber, end: isNumber, columns: isListOf(isString) },
  format: isOneOf('tsv', 'json', 'markdown'),
} as const;
