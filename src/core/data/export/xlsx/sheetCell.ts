import { type CellKind, formatPlainValue, getCellKind } from '../../tables/formatCell';
import { CalendarDate, type DataValue, isExactNumber, PreciseTime } from '../../tables/dataValue';

/** Type of a cell's value. Values that Excel would round are written as text. */
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
  /** Name of the sheet that contains the records. */
  readonly rows: string;
  /** Name of the sheet that describes the column types, and the headers of this sheet. */
  readonly columns: string;
  readonly column: string;
  readonly types: string;
  readonly truncatedTexts: string;
  /**
   * Suffix of text that is truncated to a cell's maximum length; {0} is the full length of the
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

/** Cell styles, by their index in the workbook's list of formats. */
export const STYLES = { plain: 0, time: 1, date: 2, text: 3, header: 4 } as const;

/** Sheet cell that represents a value. */
export interface SheetCell {
  /** Attributes of the cell except its position. */
  readonly attributes: string;
  readonly content: string;
  readonly type: SheetCellType;
  /** True if the text exceeds a cell's maximum length. */
  readonly isCut: boolean;
}

/** Excel stores 15 digits of a number. Numbers with more digits are written as text. */
const MAX_INTEGER = 999_999_999_999_999;
/** Maximum length of the text in a cell. Excel reports files with longer text as damaged. */
const MAX_TEXT_LENGTH = 32_767;
const MS_PER_DAY = 86_400_000;
/** Number of days from Excel's day 0 to the Unix epoch. */
const EPOCH_DAY = 25_569;
/**
 * Earliest day that is written as a date. Excel incorrectly has a February 29 in 1900, so programs
 * disagree about earlier days.
 */
const FIRST_DATE = Date.UTC(1900, 2, 1);
const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Formats a value so that Excel doesn't change any digits. Uses a text cell if no other cell type
 * represents the value exactly.
 */
export function sheetCell(value: DataValue, truncated: string): SheetCell {
  switch (typeof value) {
    case 'number':
      return numberCell(value);
    case 'bigint':
      return integerCell(value);
    case 'boolean':
      return valueCell(value ? '1' : '0', 'boolean', ' t="b"');
    case 'string':
      return textCell(value, { type: 'text', truncated });
    default:
      return objectCell(value, truncated);
  }
}

interface TextOptions {
  readonly type: SheetCellType;
  /**
   * Suffix of text that is truncated to a cell's maximum length; {0} is the full length of the
   * text.
   */
  readonly truncated?: string;
  readonly style?: number;
}

/**
 * Returns a text cell that no program interprets as a formula and that remains text when a user
 * edits it.
 */
export function textCell(
  text: string,
  { type, truncated = '…', style = STYLES.text }: TextOptions,
): SheetCell {
  const isCut = text.length > MAX_TEXT_LENGTH;
  const note = truncated.replace('{0}', String(text.length));
  const written = isCut ? text.slice(0, MAX_TEXT_LENGTH - note.length) + note : text;
  return {
    attributes: ` t="inlineStr" s="${String(style)}"`,
    content: `<is><t xml:space="preserve">${escapeXml(written)}</t></is>`,
    type,
    isCut,
  };
}

function numberCell(value: number): SheetCell {
  const isExact =
    Number.isFinite(value) && (!Number.isInteger(value) || Math.abs(value) <= MAX_INTEGER);
  // Fractions and integers beyond the safe range are already approximate. The remaining integers
  // are exact, and Excel would round them.
  return isExact || (Number.isFinite(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    ? valueCell(String(value), 'number')
    : textCell(String(value), { type: 'numberAsText' });
}

function integerCell(value: bigint): SheetCell {
  const magnitude = value < 0n ? -value : value;
  return magnitude <= BigInt(MAX_INTEGER)
    ? valueCell(String(value), 'integer')
    : textCell(String(value), { type: 'integerAsText' });
}

function objectCell(
  value: Exclude<DataValue, string | number | bigint | boolean>,
  truncated: string,
): SheetCell {
  if (value instanceof Date) return timeCell(value);
  const type = isExactNumber(value) ? 'decimalAsText' : getCellKind(value);
  return textCell(formatPlainValue(value), { type, truncated });
}

function timeCell(value: Date): SheetCell {
  const time = value.getTime();
  const isDate = value instanceof CalendarDate;
  if (value instanceof PreciseTime || time < FIRST_DATE || time > LAST_DATE) {
    return textCell(formatPlainValue(value), { type: isDate ? 'dateAsText' : 'timeAsText' });
  }
  const style = isDate ? STYLES.date : STYLES.time;
  const days = String(time / MS_PER_DAY + EPOCH_DAY);
  return valueCell(days, isDate ? 'date' : 'time', ` s="${String(style)}"`);
}

function valueCell(text: string, type: SheetCellType, attributes = ''): SheetCell {
  return { attributes, content: `<v>${text}</v>`, type, isCut: false };
}

/** Characters that XML doesn't allow. Excel escapes them as `_x0001_`. */
const FORBIDDEN = /(?![\t\n])(?=\p{Cc})[\0-\u007f]|\p{Cs}|[\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/gu;
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for XML, including quoted attributes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, (sign) => {
      const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${code}_`;
    })
    .replaceAll(/[&<>"]/g, (sign) => NAMED[sign] ?? sign);
}
