import type { CellKind } from '../../tables/formatCell';

/** Type of the values in a cell. Values that Excel would round are written as text. */
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
  /** Name of the sheet that describes the column types, and the headers of this sheet. */
  readonly columns: string;
  readonly column: string;
  readonly types: string;
  readonly truncatedTexts: string;
  /**
   * Suffix for a text that exceeds the maximum length of a cell; {0} is the full length of the
   * text.
   */
  readonly truncated: string;
  readonly typeNames: Readonly<Record<SheetCellType, string>>;
}

/** Maximum number of characters in the name of an Excel sheet. */
const MAX_SHEET_NAME_LENGTH = 31;

/**
 * Returns valid names for the two sheets: short, distinct, and without the characters of Excel's
 * reference syntax.
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
