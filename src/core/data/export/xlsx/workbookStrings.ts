import type { CellKind } from '../../tables/formatCell';

/** Type of a cell, where values that Excel would round are text. */
export type SheetCellType =
  | CellKind
  | 'integer'
  | 'date'
  | 'numberAsText'
  | 'integerAsText'
  | 'decimalAsText'
  | 'dateAsText'
  | 'timeAsText';

/** Localized strings of a workbook. */
export interface WorkbookStrings {
  /** Name of the sheet with the records. */
  readonly rows: string;
  /** Name of the sheet with the column types, and its headers. */
  readonly columns: string;
  readonly column: string;
  readonly types: string;
  readonly truncatedTexts: string;
  /** Suffix of a text that exceeds the maximum length of a cell: {0} is its full length. */
  readonly truncated: string;
  readonly typeNames: Readonly<Record<SheetCellType, string>>;
}

/** Maximum number of characters in the name of an Excel sheet. */
const MAX_SHEET_NAME_LENGTH = 31;

/**
 * Returns the names of the two sheets in a form that Excel allows: short, distinct, and without the
 * characters of its reference syntax.
 */
export function getSheetNames({ rows, columns }: WorkbookStrings): readonly [string, string] {
  const first = toSheetName(rows, '1');
  const second = toSheetName(columns, '2');
  return first.toLowerCase() === second.toLowerCase() ? [first, '2'] : [first, second];
}

function toSheetName(text: string, fallback: string): string {
  const name = text
    .replaceAll(/[[\]:*?/\\]/g, ' ')
    .replaceAll(/^['\s]+|['\s]+$/g, '')
    .slice(0, MAX_SHEET_NAME_LENGTH);
  return name === '' ? fallback : name;
}
