import type { JsonValue } from '@bufbuild/protobuf';
import { displayText } from '../../model/displayText';

/** Longer lists than this are told by their length. */
const MOST_ITEMS = 10;
const LONGEST_TEXT = 200;

/** What a cell holds. A cell that is empty because the reading has no such value is none of these. */
export type CellKind = 'number' | 'text' | 'boolean' | 'null' | 'json';

export function kindOf(value: JsonValue): CellKind {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return typeof value as 'number' | 'boolean';
    case 'string':
      return 'text';
    default:
      return value === null ? 'null' : 'json';
  }
}

/** How a list that is too long for a cell is told, such as `[1,000 items]`. */
export type ItemsText = (count: number) => string;

/** A value on one short line, for a cell of the table. */
export function cellText(value: JsonValue, itemsText: ItemsText): string {
  if (typeof value === 'string') {
    return displayText(
      value.slice(0, 2 * LONGEST_TEXT).replaceAll(/\r\n|[\r\n]/g, '↵'),
      LONGEST_TEXT,
    );
  }
  if (Array.isArray(value) && value.length > MOST_ITEMS) return itemsText(value.length);
  return displayText(jsonText(value), LONGEST_TEXT);
}

/** A value as it is: texts without quotes, everything else as JSON. */
export function wholeText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value, 2);
}

/** As JSON. Numbers that JSON does not have are written as programs write them, such as `NaN`. */
export function jsonText(value: JsonValue, indent?: number): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // What is nested deeper than the stack goes.
    if (error instanceof RangeError) return Array.isArray(value) ? '[…]' : '{…}';
    throw error;
  }
}
