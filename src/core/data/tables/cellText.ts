import { displayText } from '../../model/displayText';
import { type DataValue, isExactNumber } from './dataValue';
import { hexText } from './hexText';
import { jsonText } from './jsonText';

/** Maximum number of items shown in a list; longer ones are shown as their length. */
const MOST_ITEMS = 10;
const LONGEST_TEXT = 200;
/** The Unicode block with a symbol for each control character. */
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;

/** Type of a cell's value. A cell of a row without the value has no type. */
export type CellKind = 'number' | 'text' | 'boolean' | 'time' | 'null' | 'json' | 'binary';

export function kindOf(value: DataValue): CellKind {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'text';
    default:
      return value === null ? 'null' : kindOfObject(value);
  }
}

function kindOfObject(value: object): CellKind {
  if (value instanceof Date) return 'time';
  if (value instanceof Uint8Array) return 'binary';
  return isExactNumber(value) ? 'number' : 'json';
}

/** Localized labels for values that are not shown verbatim. */
export interface ValueWords {
  /** Label of a list that is too long for a cell, such as `[1,000 items]`. */
  readonly items: (count: number) => string;
  /** Label before bytes, such as `[16 bytes]`. */
  readonly bytes: (count: number) => string;
}

/** Formats a value on one short line for a table cell. */
export function cellText(value: DataValue, words: ValueWords): string {
  if (typeof value === 'string') {
    return displayText(showControls(value.slice(0, 2 * LONGEST_TEXT)), LONGEST_TEXT);
  }
  if (value instanceof Uint8Array) {
    const start = hexText(value.subarray(0, LONGEST_TEXT));
    return displayText(`${words.bytes(value.length)} ${start}`, LONGEST_TEXT);
  }
  if (Array.isArray(value) && value.length > MOST_ITEMS) return words.items(value.length);
  return displayText(plainText(value), LONGEST_TEXT);
}

/**
 * Replaces line breaks and tabs with arrows, and other control characters with their symbols, such
 * as `␀`.
 */
function showControls(text: string): string {
  return text
    .replaceAll(/\r\n|[\r\n]/g, '↵')
    .replaceAll('\t', '⇥')
    .replaceAll(/(?=\p{Cc})[\0-\u007f]/gu, (control) => {
      const code = control.charCodeAt(0);
      return code === DELETE ? '␡' : String.fromCharCode(CONTROL_PICTURES + code);
    });
}

/**
 * Formats a whole value: texts, times, and bytes without quotes, everything else as multi-line
 * JSON.
 */
export function wholeText(value: DataValue): string {
  return plainText(value, 2);
}

/**
 * Formats a value for files and the clipboard: like `wholeText` but on one line, except for texts
 * with several lines.
 */
export function plainText(value: DataValue, indent?: number): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? hexText(value) : jsonText(value, indent);
}
