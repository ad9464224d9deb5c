import type { DataShape } from '../query/readingsFiles';

/** What differs from value to value. */
const MIXED = 'JSON';
const UNKNOWN = 'NULL';
const NUMBER = 'DOUBLE';
const NUMBERS = /^(U?BIGINT|HUGEINT|DOUBLE)$/;

/** An object with more members has keys that are data: it is not told member by member. */
const MAX_MEMBERS = 1000;

/** A larger one is not worth reading with every query. */
const MAX_LETTERS = 1024 * 1024;

/** A shape, or when it has too much to tell, that it tells nothing. */
export function boundedShape(shape: DataShape): DataShape {
  return JSON.stringify(shape).length > MAX_LETTERS ? MIXED : shape;
}

/** What is told of values of both shapes. All numbers are one type, as they are on the wire. */
export function mergeShapes(a: DataShape | undefined, b: DataShape): DataShape {
  if (a === undefined || a === UNKNOWN) {
    return simplified(b);
  }
  if (b === UNKNOWN) {
    return simplified(a);
  }
  if (typeof a === 'string' || typeof b === 'string') {
    return mergeScalars(a, b);
  }
  if (isArray(a) || isArray(b)) {
    return isArray(a) && isArray(b) ? [mergeShapes(a[0], b[0])] : MIXED;
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (names.size > MAX_MEMBERS) {
    return MIXED;
  }
  return Object.fromEntries(
    [...names].map((name) => [name, mergeShapes(own(a, name) ?? UNKNOWN, own(b, name) ?? UNKNOWN)]),
  );
}

function mergeScalars(a: DataShape, b: DataShape): DataShape {
  if (typeof a !== 'string' || typeof b !== 'string') {
    return MIXED;
  }
  if (NUMBERS.test(a) && NUMBERS.test(b)) {
    return NUMBER;
  }
  return a === b ? a : MIXED;
}

function simplified(shape: DataShape): DataShape {
  if (typeof shape === 'string') {
    return NUMBERS.test(shape) ? NUMBER : shape;
  }
  if (isArray(shape)) {
    return [simplified(shape[0])];
  }
  const members = Object.entries(shape);
  return members.length > MAX_MEMBERS
    ? MIXED
    : Object.fromEntries(members.map(([name, member]) => [name, simplified(member)]));
}

function own(shape: Readonly<Record<string, DataShape>>, name: string): DataShape | undefined {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

function isArray(shape: DataShape): shape is readonly [DataShape] {
  return Array.isArray(shape);
}
