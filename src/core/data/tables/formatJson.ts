import {
  type DataObject,
  type DataValue,
  getDigits,
  isExactNumber,
  nearestNumber,
} from './dataValue';
import { formatHex } from './formatHex';

/**
 * Formats a value as JSON. Integers and decimals keep all digits, times are ISO 8601 texts, and
 * bytes are hexadecimal. Numbers that JSON can't represent use their common notation, such as
 * `NaN`: without quotes if the number is the whole value, otherwise as texts.
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

/** @param line line break and indentation of this level; if absent, everything is on one line */
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
