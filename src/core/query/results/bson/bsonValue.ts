import type { Buffer } from 'node:buffer';
import { type DataObject, type DataValue, exactNumber } from '../../../data/tables/dataValue';
import { BsonElements } from './bsonElements';
import { CalendarDate, PreciseTime } from '../../../data/tables/exactTime';
import { EXACT_TIME } from '../../../model/exactTimes';
import { BSON, EXTENDED } from './bsonTypes';
import { formatDecimal } from './formatDecimal';

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

/** Decodes the value of the current element. @throws RangeError if the element isn't valid BSON. */
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

/**
 * Returns the type of an element: one of `BSON`, or one of `EXTENDED` for known binary subtypes.
 */
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
