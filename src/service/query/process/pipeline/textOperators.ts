import { evalExpr } from 'mingo/core';
import * as expressions from 'mingo/operators/expression';
import { type Document, isDocument, isNullish } from './document';
import { evaluateList, type ExpressionOperators, type Operator } from './operands';

/**
 * Operators on text that behave differently in mingo than in MongoDB: some treat null and missing
 * values as empty text, and positions count bytes of UTF-8 or code points.
 */
export const textOperators: Readonly<ExpressionOperators> = {
  $toLower: (document, operand, options) =>
    toText('$toLower', evalExpr(document, operand, options)).toLowerCase(),
  $toUpper: (document, operand, options) =>
    toText('$toUpper', evalExpr(document, operand, options)).toUpperCase(),
  $strcasecmp: (...operands) => {
    const [left, right] = evaluateList('$strcasecmp', operands, [2, 2]).map((value) =>
      toText('$strcasecmp', value).toUpperCase(),
    ) as [string, string];
    return left === right ? 0 : left < right ? -1 : 1;
  },
  $indexOfBytes: indexing('$indexOfBytes', (text) => Buffer.from(text)),
  $indexOfCP: indexing('$indexOfCP', toCodePoints),
  $substr: substring('$substr'),
  $substrBytes: substring('$substrBytes'),
  $substrCP: (...operands) => {
    const [value, start, length] = evaluateList('$substrCP', operands, [3, 3]);
    const from = requireWhole('$substrCP', start);
    const count = requireWhole('$substrCP', length);
    return Array.from(toText('$substrCP', value))
      .slice(from, from + count)
      .join('');
  },
  $split: (...operands) => {
    const [text, separator] = evaluateList('$split', operands, [2, 2]);
    if (isNullish(text) || isNullish(separator)) return null;
    if (typeof text !== 'string' || typeof separator !== 'string') {
      throw new TypeError('$split needs text');
    }
    if (separator === '') throw new TypeError('the separator of $split must not be empty');
    return text.split(separator);
  },
  $binarySize: (document, operand, options) => {
    const value: unknown = evalExpr(document, operand, options);
    if (isNullish(value)) return null;
    const size: unknown =
      typeof value === 'string' ? Buffer.byteLength(value) : Reflect.get(Object(value), 'position');
    if (typeof size !== 'number') throw new TypeError('$binarySize needs text or bytes');
    return size;
  },
  $regexFind: (document, operand, options) => {
    const found: unknown = expressions.$regexFind(document, operand, options);
    return inCodePoints(found, readInput(document, operand, options));
  },
  $regexFindAll: (document, operand, options) => {
    const found: unknown = expressions.$regexFindAll(document, operand, options);
    const input = readInput(document, operand, options);
    return Array.isArray(found) ? found.map((one: unknown) => inCodePoints(one, input)) : found;
  },
};

/** Returns the text of a value. Null and missing values are empty. */
function toText(name: string, value: unknown): string {
  if (isNullish(value)) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TypeError(`${name} needs text`);
}

function requireWhole(name: string, value: unknown): number {
  if (!Number.isInteger(value) || Number(value) < 0) {
    throw new TypeError(`${name} needs whole numbers that are not negative`);
  }
  return Number(value);
}

function toCodePoints(text: string): Uint32Array {
  return Uint32Array.from(Array.from(text, (character) => character.codePointAt(0) ?? 0));
}

function indexing(name: string, split: (text: string) => Uint8Array | Uint32Array): Operator {
  return (...operands) => {
    const [text, part, start = 0, end] = evaluateList(name, operands, [2, 4]);
    if (isNullish(text)) return null;
    if (typeof text !== 'string' || typeof part !== 'string') {
      throw new TypeError(`${name} needs text`);
    }
    const [units, searched] = [split(text), split(part)];
    const to = Math.min(end === undefined ? units.length : requireWhole(name, end), units.length);
    for (let from = requireWhole(name, start); from + searched.length <= to; from += 1) {
      if (searched.every((unit, offset) => units[from + offset] === unit)) return from;
    }
    return -1;
  };
}

/** A negative start has no text, and a negative length means the rest. */
function substring(name: string): Operator {
  return (...operands) => {
    const [value, start, length] = evaluateList(name, operands, [3, 3]);
    const bytes = Buffer.from(toText(name, value));
    if (typeof start !== 'number' || typeof length !== 'number') {
      throw new TypeError(`${name} needs a start and a length`);
    }
    if (start < 0) return '';
    const [from, end] = [Math.trunc(start), Math.trunc(start) + Math.trunc(length)];
    const part = bytes.subarray(from, length < 0 ? undefined : end);
    if (isContinuation(part[0]) || (length >= 0 && isContinuation(bytes[end]))) {
      throw new RangeError(`${name} must not start or end within a character`);
    }
    return part.toString();
  };
}

/** Returns true for a byte within a character in UTF-8. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function readInput(...[document, operand, options]: Parameters<Operator>): unknown {
  return isDocument(operand) ? evalExpr(document, operand.input, options) : undefined;
}

/** Converts the position in a match from UTF-16 code units. */
function inCodePoints(found: unknown, input: unknown): unknown {
  if (!isDocument(found) || typeof input !== 'string') return found;
  const match: Document = found;
  return { ...match, idx: Array.from(input.slice(0, Number(match.idx))).length };
}
