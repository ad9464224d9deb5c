import { inspect } from 'node:util';
import { isDocument } from './document';

/**
 * Compares any two values in MongoDB's order: first by type, then within the type. A missing value
 * is treated like null.
 */
export function compareValues(left: unknown, right: unknown): number {
  const [leftRank, rightRank] = [getTypeRank(left), getTypeRank(right)];
  if (leftRank !== rightRank) return leftRank - rightRank;
  if (typeof left === 'number' && typeof right === 'number') return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right);
  if (isDocument(left) && isDocument(right)) {
    return compareDocuments(Object.entries(left), Object.entries(right));
  }
  return leftRank === NULL_RANK ? 0 : compareTexts(inspect(left), inspect(right));
}

/** Returns true if two values have the same type. A missing value has the same type as null. */
export function isSameType(left: unknown, right: unknown): boolean {
  return getTypeRank(left) === getTypeRank(right);
}

/**
 * Returns a string for use as a group key. Two values have the same string only if they are equal.
 */
export function toGroupKey(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return `s${String(value.length)}:${value}`;
  if (value instanceof Date) return `d${String(value.getTime())}`;
  if (Array.isArray(value)) return `[${value.map(toGroupKey).join(',')}]`;
  if (isDocument(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${toGroupKey(name)}=${toGroupKey(member)}`).join(',')}}`;
  }
  // 0 and -0 are represented by the same string.
  return typeof value === 'number' ? `n${String(value)}` : inspect(value);
}

const NULL_RANK = 1;
const OTHER_RANK = 6;
const RANKS: Readonly<Record<string, number>> = {
  undefined: NULL_RANK,
  number: 2,
  bigint: 2,
  string: 3,
  boolean: 8,
};
const BSON_RANKS: Readonly<Record<string, number>> = {
  MinKey: 0,
  Binary: OTHER_RANK,
  ObjectId: 7,
  Timestamp: 10,
  MaxKey: 12,
};

/**
 * Returns the position in MongoDB's order of types: null, numbers, strings, documents, arrays,
 * bytes, IDs, booleans, dates, and so on.
 */
function getTypeRank(value: unknown): number {
  const ofType = value === null ? NULL_RANK : RANKS[typeof value];
  if (ofType !== undefined) return ofType;
  if (Array.isArray(value)) return 5;
  if (value instanceof Date) return 9;
  if (value instanceof RegExp) return 11;
  if (isDocument(value)) return 4;
  const bson = (value as { _bsontype?: unknown })._bsontype;
  return (typeof bson === 'string' ? BSON_RANKS[bson] : undefined) ?? OTHER_RANK;
}

/** Compares numbers; NaN is less than all other numbers. */
function compareNumbers(left: number, right: number): number {
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  }
  return left < right ? -1 : Number(left > right);
}

/**
 * Compares strings by code point, which results in the same order as comparing their UTF-8 bytes.
 */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) {
      // Surrogates represent code points that are greater than the code points of all other code
      // units.
      return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
    }
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareLists(left: readonly unknown[], right: readonly unknown[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(left[index], right[index]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareDocuments(
  left: readonly (readonly [string, unknown])[],
  right: readonly (readonly [string, unknown])[],
): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order =
      getTypeRank(value) - getTypeRank(other[1]) ||
      compareTexts(name, other[0]) ||
      compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
