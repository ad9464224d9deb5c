import { kindOf, plainText } from '../../tables/cellText';
import { type DataValue, isExactNumber } from '../../tables/dataValue';
import { CalendarDate, PreciseTime } from '../../tables/exactTime';
import type { SheetCellType } from './workbookStrings';

/** Styles of cells, by their positions in the workbook's list of formats. */
export const STYLES = { plain: 0, time: 1, date: 2, text: 3, header: 4 } as const;

/** A value as a cell of a sheet has it. */
export interface SheetCell {
  /** What is within the cell, and its attributes but for its position. */
  readonly attributes: string;
  readonly content: string;
  readonly type: SheetCellType;
  /** Whether the text is longer than a cell can be. */
  readonly isCut: boolean;
}

/** Excel keeps 15 digits of a number; what has more is text. */
const MAX_INTEGER = 999_999_999_999_999;
/** Longer texts make Excel call the file damaged. */
const MAX_TEXT_LENGTH = 32_767;
const MS_PER_DAY = 86_400_000;
/** Days from Excel's day 0 to the Unix epoch. */
const EPOCH_DAY = 25_569;
/** Excel counts a February 29 in 1900: earlier days differ between programs. */
const FIRST_DATE = Date.UTC(1900, 2, 1);
const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Writes a value so that Excel changes no digit of it: as text when it has no exact cell for it. */
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
  /** Follows a text that is longer than a cell can be: {0} is its length. */
  readonly truncated?: string;
  readonly style?: number;
}

/** A text that no program takes for a formula, and that stays one when it is edited. */
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
  // Beyond 15 digits only integers look like numbers whose every digit counts.
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
  const type = isExactNumber(value) ? 'decimalAsText' : kindOf(value);
  return textCell(plainText(value), { type, truncated });
}

function timeCell(value: Date): SheetCell {
  const time = value.getTime();
  const isDate = value instanceof CalendarDate;
  if (value instanceof PreciseTime || time < FIRST_DATE || time > LAST_DATE) {
    return textCell(plainText(value), { type: isDate ? 'dateAsText' : 'timeAsText' });
  }
  const style = isDate ? STYLES.date : STYLES.time;
  const days = String(time / MS_PER_DAY + EPOCH_DAY);
  return valueCell(days, isDate ? 'date' : 'time', ` s="${String(style)}"`);
}

function valueCell(text: string, type: SheetCellType, attributes = ''): SheetCell {
  return { attributes, content: `<v>${text}</v>`, type, isCut: false };
}

/** What XML cannot hold, as Excel writes it: `_x0001_`. */
const FORBIDDEN = /(?![\t\n])(?=\p{Cc})[\0-\u007f]|\p{Cs}|[\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/gu;
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Returns a text as XML has it, also within the quotes of an attribute. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, (sign) => {
      const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `_x${code}_`;
    })
    .replaceAll(/[&<>"]/g, (sign) => NAMED[sign] ?? sign);
}
