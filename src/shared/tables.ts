import { isBoolean, isListOf, isNumber, isOneOf, isShape, isString } from './guards';

/** What tables say to their hosts and hear from them, whatever their rows are of. */

/** What a column or cell holds. */
export const valueKinds = ['number', 'text', 'boolean', 'time', 'null', 'json', 'binary'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** A column of what is within rows; nested fields have one each. The same as long as its rows last. */
export interface ValueColumn {
  readonly id: string;
  /** Such as `data.readings.temperature`. */
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

/** Rows in the order of a column. */
export interface RowSort {
  /** The column's id. */
  readonly column: string;
  readonly descending: boolean;
}

export const isRowSort = isShape<RowSort>({ column: isString, descending: isBoolean });

/** A cell or row as a whole; its start when it is very long. */
export interface WholeText {
  readonly text: string;
  /** Of all of it. */
  readonly characters: number;
}

export const isWholeText = isShape<WholeText>({ text: isString, characters: isNumber });

/** Rows that are copied. */
export interface CopiedSpan {
  /** Places, the end excluded. */
  readonly start: number;
  readonly end: number;
  /** Ids, in the order in which they are copied. */
  readonly columns: readonly string[];
  readonly format: 'tsv' | 'json' | 'markdown';
}

/** The members of a message about rows that are copied. */
export const copiedSpan = {
  ...{ start: isNumber, end: isNumber, columns: isListOf(isString) },
  format: isOneOf('tsv', 'json', 'markdown'),
} as const;
