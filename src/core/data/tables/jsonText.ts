import {
  type DataObject,
  type DataValue,
  digitsOf,
  isExactNumber,
  nearestNumber,
} from './dataValue';
import { hexText } from './hexText';

/**
 * As JSON. Whole numbers and decimals have all their digits, times are texts as ISO 8601 has them, and bytes
 * are in hexadecimal. Numbers that JSON does not have are written as programs write them, such as `NaN`: as
 * they are when they stand alone, else as texts.
 * @param indent spaces for each level; absent: all on one line
 */
export function jsonText(value: DataValue, indent = 0): string {
  if (typeof value === 'number') return String(value);
  if (isExactNumber(value)) return digitsOf(value);
  try {
    return written(value, indent === 0 ? undefined : '\n', ' '.repeat(indent));
  } catch (error) {
    // What is nested deeper than the stack goes.
    if (error instanceof RangeError) return Array.isArray(value) ? '[…]' : '{…}';
    throw error;
  }
}

/** @param line the line's end and the spaces before what is on this level; absent: all is on one line */
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
  if (value instanceof Uint8Array) return `"${hexText(value)}"`;
  if (isExactNumber(value)) {
    const digits = digitsOf(value);
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
