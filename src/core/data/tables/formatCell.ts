import { Buffer } from 'node:buffer';
import { toDisplayText } from '../../model/displayText';
import {
  type DataObject,
  type DataValue,
  getDigits,
  isExactNumber,
  nearestNumber,
} from './dataValue';

/** Maximum number of items shown in a list. For a longer list, only its length is shown. */
const MAX_ITEMS = 10;
const MAX_TEXT_LENGTH = 200;
/** Start of the Unicode block that contains a symbol for each control character. */
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;

/** Type of a cell's value. Cells in rows that don't have the value have no type. */
export type CellKind = 'number' | 'text' | 'boolean' | 'time' | 'null' | 'json' | 'binary';

export function getCellKind(value: DataValue): CellKind {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'text';
    default:
      return value === null ? 'null' : getObjectCellKind(value);
  }
}

function getObjectCellKind(value: object): CellKind {
  if (value instanceof Date) return 'time';
  if (value instanceof Uint8Array) return 'binary';
  return isExactNumber(value) ? 'number' : 'json';
}

/** Localized labels for values that are not shown verbatim. */
export interface ValueLabels {
  /** Label of a list that is too long for a cell, such as `[1,000 items]`. */
  readonly items: (count: number) => string;
  /** Label before bytes, such as `[16 bytes]`. */
  readonly bytes: (count: number) => string;
}

/** Formats a value for a table cell, on one short line. */
export function formatCell(value: DataValue, labels: ValueLabels): string {
  if (typeof value === 'string') {
    return toDisplayText(showControls(value.slice(0, 2 * MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH);
  }
  if (value instanceof Uint8Array) {
    const start = formatHex(value.subarray(0, MAX_TEXT_LENGTH));
    return toDisplayText(`${labels.bytes(value.length)} ${start}`, MAX_TEXT_LENGTH);
  }
  if (Array.isArray(value) && value.length > MAX_ITEMS) return labels.items(value.length);
  return toDisplayText(formatPlainValue(value), MAX_TEXT_LENGTH);
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
 * Formats a value in full: strings, times, and bytes without quotes, everything else as multiline
 * JSON.
 */
export function formatFullValue(value: DataValue): string {
  return formatPlainValue(value, 2);
}

/**
 * Formats a value for files and the clipboard: like `formatFullValue`, but on one line, except for
 * strings with line breaks.
 */
export function formatPlainValue(value: DataValue, indent?: number): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? formatHex(value) : formatJson(value, indent);
}

/**
 * Formats a value as JSON. Integers and decimals keep all digits, times are ISO 8601 strings, and
 * bytes are hexadecimal. Numbers that JSON can't represent use their common notation, such as
 * `NaN`: without quotes if the number is the whole value, otherwise as strings.
 * @param indent number of spaces for each level; if 0, everything is on one line
 */
export function formatJson(value: DataValue, indent = 0): string {
  if (typeof value === 'number') return String(value);
  if (isExactNumber(value)) return getDigits(value);
  try {
    return written(value, indent === 0 ? undefined : '\n', ' '.repeat(indent));
  } catch (error) {
    // The value is nested too deeply for the call stack.
    if (error instanceof RangeError) return Array.isArray(value) ? '[…]' : '{…}';
    throw error;
  }
}

/** @param line line break and indentation for this level; if absent, everything is on one line */
function written(value: DataValue, line: string | undefined, indent: string): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return value === null ? 'null' : writtenObject(value, line, indent);
  }
}

function writtenObject(
  value: Exclude<DataValue, string | number | bigint | boolean | null>,
  line: string | undefined,
  indent: string,
): string {
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (value instanceof Uint8Array) return `"${formatHex(value)}"`;
  if (isExactNumber(value)) {
    const digits = getDigits(value);
    return Number.isFinite(nearestNumber(value)) ? digits : `"${digits}"`;
  }
  const inner = line === undefined ? undefined : line + indent;
  if (isList(value)) {
    return enclosed(
      '[',
      ']',
      line,
      inner,
      value.map((item) => written(item, inner, indent)),
    );
  }
  const colon = line === undefined ? ':' : ': ';
  const members = Object.keys(value).flatMap((key) => {
    const member = value[key];
    if (member === undefined) return [];
    return `${JSON.stringify(key)}${colon}${written(member, inner, indent)}`;
  });
  return enclosed('{', '}', line, inner, members);
}

function enclosed(
  open: string,
  close: string,
  line = '',
  inner = '',
  parts: readonly string[] = [],
): string {
  if (parts.length === 0) return open + close;
  return open + inner + parts.join(`,${inner}`) + line + close;
}

function isList(value: DataObject | readonly DataValue[]): value is readonly DataValue[] {
  return Array.isArray(value);
}

/** Formats bytes as hexadecimal numbers with two digits each. */
function formatHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
