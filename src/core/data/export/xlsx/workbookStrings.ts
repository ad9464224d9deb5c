import type { CellKind } from '../../tables/cellText';

/** The type of a cell, with the values that Excel would round as text. */
export type SheetCellType =
  | CellKind
  | 'integer'
  | 'date'
  | 'numberAsText'
  | 'integerAsText'
  | 'decimalAsText'
  | 'dateAsText'
  | 'timeAsText';

/** The texts of a workbook in the language of its reader. */
export interface WorkbookStrings {
  /** The name of the sheet with the records. */
  readonly rows: string;
  /** The name of the sheet with the types of the columns, and the headers within it. */
  readonly columns: string;
  readonly column: string;
  readonly types: string;
  readonly truncatedTexts: string;
  /** Follows a text that is longer than a cell can be: {0} is its length. */
  readonly truncated: string;
  readonly typeNames: Readonly<Record<SheetCellType, string>>;
}

/** The number of characters that Excel allows for the name of a sheet. */
const MAX_SHEET_NAME_LENGTH = 31;

/** Returns the names of the two sheets as Excel allows them: short, different, and without its signs of references. */
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
