import type { Buffer } from 'node:buffer';
import {
  CalendarDate,
  type DataObject,
  type DataValue,
  exactNumber,
  PreciseTime,
} from '../../../data/tables/dataValue';
import { BSON, BsonElements, EXTENDED, isBranchElement } from './bsonElements';
import { EXACT_TIME } from '../../../model/query';
import { MAX_COLUMN_DEPTH } from '../../../data/tables/dataColumns';

const EXPONENT_BIAS = 6176;
const MAX_DIGITS = 34;
const MAX_COEFFICIENT = 10n ** 34n - 1n;
/** Minimum exponent of numbers that are formatted without scientific notation. */
const MIN_PLAIN_EXPONENT = -6;

/**
 * Formats a 128-bit decimal with all its digits
 * (https://github.com/mongodb/specifications/blob/master/source/bson-decimal128/decimal128.md).
 */
function formatDecimal(bytes: Buffer, at: number): string {
  const { sign, digits, exponent } = readDecimal(bytes, at);
  return sign + (exponent === undefined ? digits : written(digits, exponent));
}

interface Decimal {
  readonly sign: '-' | '';
  /** Digits of the integer coefficient, or `Infinity` or `NaN`. */
  readonly digits: string;
  /** Power of 10 by which the coefficient is multiplied; undefined for NaN and infinities. */
  readonly exponent: number | undefined;
}

/** Decodes the parts of a 128-bit decimal. */
export function readDecimal(bytes: Buffer, at: number): Decimal {
  const high = bytes.readBigUInt64LE(at + 8);
  const combination = Number((high >> 58n) & 0x1fn);
  if (combination === 0x1f) return { sign: '', digits: 'NaN', exponent: undefined };
  const sign = high >> 63n === 1n ? '-' : '';
  if (combination === 0x1e) return { sign, digits: 'Infinity', exponent: undefined };
  // In this encoding, the coefficient would have more than 34 digits. By definition, such a number
  // is zero.
  const isLarge = combination >= 0x18;
  const exponent = Number((high >> (isLarge ? 47n : 49n)) & 0x3fffn) - EXPONENT_BIAS;
  const coefficient = ((high & 0x1ffffffffffffn) << 64n) | bytes.readBigUInt64LE(at);
  const isZero = isLarge || coefficient > MAX_COEFFICIENT;
  return { sign, digits: isZero ? '0' : String(coefficient), exponent };
}

function written(digits: string, exponent: number): string {
  const scientific = exponent + digits.length - 1;
  if (exponent > 0 || scientific < MIN_PLAIN_EXPONENT || digits.length > MAX_DIGITS) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${digits.slice(0, 1)}${fraction}E${scientific < 0 ? '' : '+'}${scientific}`;
  }
  if (exponent === 0) return digits;
  const padded = digits.padStart(1 - exponent, '0');
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Last time that a `Date` can represent, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;
/**
 * Maximum nesting depth; deeper values are abbreviated. Real data isn't nested this deeply, and
 * each level requires memory.
 */
export const MAX_BSON_DEPTH = 200;
const TOO_DEEP = '{…}';
const UUID_BYTES = 16;
const SUBTYPE_AT = 4;
const BINARY_START = 5;

/** Known binary subtypes and the sizes of their values in bytes. */
const SUBTYPES = new Map<number, { readonly type: number; readonly bytes: number }>([
  [4, { type: EXTENDED.uuid, bytes: UUID_BYTES }],
  [EXACT_TIME.micros, { type: EXTENDED.micros, bytes: 8 }],
  [EXACT_TIME.nanos, { type: EXTENDED.nanos, bytes: 8 }],
  [EXACT_TIME.days, { type: EXTENDED.day, bytes: 4 }],
]);

/**
 * Decodes a document. Returns its values by name. @throws RangeError if the document isn't valid
 * BSON.
 */
export function documentAt(bytes: Buffer, start: number, depth = 0): DataObject {
  const elements = new BsonElements(bytes, start);
  const values: Record<string, DataValue> = {};
  while (elements.next()) {
    const { name } = elements;
    const value = readDataValue(elements, depth);
    if (name === '__proto__') Object.defineProperty(values, name, ownValue(value));
    else values[name] = value;
  }
  return values;
}

/** Decodes the current element's value. @throws RangeError if the element isn't valid BSON. */
export function readDataValue(element: BsonElements, depth = 0): DataValue {
  const { bytes, type, valueStart: at, valueEnd: end } = element;
  switch (type) {
    case BSON.double:
      return bytes.readDoubleLE(at);
    case BSON.string:
    case BSON.code:
    case BSON.symbol:
      return bytes.toString('utf8', at + 4, end - 1);
    case BSON.object:
      return depth < MAX_BSON_DEPTH ? documentAt(bytes, at, depth + 1) : TOO_DEEP;
    case BSON.array:
      return depth < MAX_BSON_DEPTH ? listAt(bytes, at, depth + 1) : TOO_DEEP;
    case BSON.binary:
      return binaryValue(element);
    case BSON.boolean:
      return bytes[at] !== 0;
    case BSON.date:
      return toTimeValue(bytes.readBigInt64LE(at));
    case BSON.int32:
      return bytes.readInt32LE(at);
    case BSON.int64:
      return wholeNumber(bytes.readBigInt64LE(at));
    case BSON.decimal:
      return exactNumber(formatDecimal(bytes, at));
    case BSON.null:
    case BSON.undefined:
      return null;
    default:
      return rareValue(bytes, type, at, end);
  }
}

/** Formats values of MongoDB's internal types as text. */
function rareValue(bytes: Buffer, type: number, at: number, end: number): DataValue {
  switch (type) {
    case BSON.objectId:
      return bytes.toString('hex', at, end);
    case BSON.regularExpression: {
      const [pattern = '', flags = ''] = bytes.toString('utf8', at, end - 1).split('\0');
      return `/${pattern}/${flags}`;
    }
    case BSON.timestamp:
      return `Timestamp(${bytes.readUInt32LE(at + 4)}, ${bytes.readUInt32LE(at)})`;
    case BSON.pointer:
      return `DBPointer(${bytes.toString('hex', end - 12, end)})`;
    case BSON.codeWithScope:
      return bytes.toString('utf8', at + 8, at + 7 + bytes.readInt32LE(at + 4));
    case BSON.minKey:
      return 'MinKey';
    default:
      return 'MaxKey';
  }
}

function listAt(bytes: Buffer, start: number, depth: number): DataValue[] {
  const elements = new BsonElements(bytes, start);
  const values: DataValue[] = [];
  while (elements.next()) values.push(readDataValue(elements, depth));
  return values;
}

function ownValue(value: DataValue): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function toTimeValue(milliseconds: bigint): DataValue {
  const time = Number(milliseconds);
  return Math.abs(time) <= LAST_TIME ? new Date(time) : wholeNumber(milliseconds);
}

function wholeNumber(value: bigint): number | bigint {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

/** Returns an element's type: one of `BSON`, or one of `EXTENDED` for known binary subtypes. */
export function getExtendedType({ bytes, type, valueStart, valueEnd }: BsonElements): number {
  if (type !== BSON.binary) return type;
  const subtype = bytes[valueStart + SUBTYPE_AT] ?? 0;
  const known = SUBTYPES.get(subtype);
  return known?.bytes === valueEnd - valueStart - BINARY_START ? known.type : type;
}

function binaryValue(element: BsonElements): DataValue {
  const { bytes, valueStart, valueEnd: end } = element;
  const start = valueStart + BINARY_START;
  switch (getExtendedType(element)) {
    case EXTENDED.uuid:
      return formatUuid(bytes, end);
    case EXTENDED.micros:
      return unlessInvalid(PreciseTime.fromMicros(bytes.readBigInt64LE(start)));
    case EXTENDED.nanos:
      return unlessInvalid(PreciseTime.fromNanos(bytes.readBigInt64LE(start)));
    case EXTENDED.day:
      return unlessInvalid(new CalendarDate(bytes.readInt32LE(start)));
    default:
      return bytes.subarray(start, end);
  }
}

function unlessInvalid(time: Date): DataValue {
  return Number.isNaN(time.getTime()) ? null : time;
}

function formatUuid(bytes: Buffer, end: number): string {
  const hex = bytes.toString('hex', end - UUID_BYTES, end);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Finds the value at the same path in many rows. */
export class BsonPath {
  private readonly names: readonly Uint8Array[];

  constructor(path: readonly string[]) {
    this.names = path.map((name) => new TextEncoder().encode(name));
  }

  /** Returns a row's value at this path; undefined if the row has no such value. */
  valueIn(bytes: Buffer, start: number): DataValue | undefined {
    const element = this.find(bytes, start);
    if (!element) return undefined;
    const hasColumns = isBranchElement(element) && this.names.length < MAX_COLUMN_DEPTH;
    return hasColumns ? undefined : readDataValue(element);
  }

  /** Returns the element at this path in a document; undefined if there is none. */
  find(bytes: Buffer, start: number): BsonElements | undefined {
    let at = start;
    for (let depth = 0; ; depth += 1) {
      const name = this.names[depth];
      const element = name && named(new BsonElements(bytes, at), name);
      if (!element || depth === this.names.length - 1) return element;
      if (element.type !== BSON.object) return undefined;
      at = element.valueStart;
    }
  }
}

/** Returns true if an element has the given name. Compares the names' bytes. */
export function hasName({ bytes, nameStart, nameEnd }: BsonElements, name: Uint8Array): boolean {
  if (nameEnd - nameStart !== name.length) return false;
  for (let at = 0; at < name.length; at += 1) {
    if (bytes[nameStart + at] !== name[at]) return false;
  }
  return true;
}

function named(elements: BsonElements, name: Uint8Array): BsonElements | undefined {
  while (elements.next()) if (hasName(elements, name)) return elements;
  return undefined;
}
