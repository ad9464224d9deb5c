import type { Buffer } from 'node:buffer';

/**
 * Element types, which are indicated by an element's first byte (https://bsonspec.org/spec.html).
 */
export const BSON = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binary: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  regularExpression: 0x0b,
  pointer: 0x0c,
  code: 0x0d,
  symbol: 0x0e,
  codeWithScope: 0x0f,
  int32: 0x10,
  timestamp: 0x11,
  int64: 0x12,
  decimal: 0x13,
  minKey: 0xff,
  maxKey: 0x7f,
} as const;

/** Types of values that are represented as binary subtypes, because BSON has no types for them. */
export const EXTENDED = {
  uuid: 0x104,
  /** Time in microseconds. */
  micros: 0x180,
  /** Time in nanoseconds. */
  nanos: 0x181,
  /** Day without a time. */
  day: 0x182,
} as const;

/** Size of an empty document in bytes: its length field and the terminating zero. */
const EMPTY_DOCUMENT_BYTES = 5;

const LENGTH_BYTES = 4;

/** Sizes of fixed-length values in bytes. */
const FIXED_BYTES = new Map<number, number>([
  [BSON.double, 8],
  [BSON.undefined, 0],
  [BSON.objectId, 12],
  [BSON.boolean, 1],
  [BSON.date, 8],
  [BSON.null, 0],
  [BSON.int32, 4],
  [BSON.timestamp, 8],
  [BSON.int64, 8],
  [BSON.decimal, 16],
  [BSON.minKey, 0],
  [BSON.maxKey, 0],
]);

/**
 * Sizes by type; -1 for types without a fixed length. A typed array is used because the lookup must
 * be fast for each value in a million rows.
 */
const SIZES = Int8Array.from({ length: 256 }, (_, type) => FIXED_BYTES.get(type) ?? -1);

/**
 * Iterates over the elements in a BSON document without decoding their values. Rows are written to
 * disk in their received form, and only a few of their values are ever displayed.
 */
export class BsonElements {
  type = 0;
  /** Offsets of the name and of its terminating zero. */
  nameStart = 0;
  nameEnd = 0;
  /** Offsets of the value and of the next element. */
  valueStart = 0;
  valueEnd: number;
  private readonly end: number;

  /** @throws RangeError if the bytes don't contain a document at `start`. */
  constructor(
    readonly bytes: Buffer,
    start: number,
  ) {
    const length = bytes.readInt32LE(start);
    this.end = start + length - 1;
    this.valueEnd = start + LENGTH_BYTES;
    if (length < EMPTY_DOCUMENT_BYTES || this.end >= bytes.length) throw malformed();
  }

  /** Advances to the next element. @throws RangeError if the element is truncated. */
  next(): boolean {
    const { bytes, end } = this;
    const start = this.valueEnd;
    if (start >= end) return false;
    this.type = bytes[start] ?? 0;
    this.nameStart = start + 1;
    let at = start + 1;
    while (at < end && bytes[at] !== 0) at += 1;
    this.nameEnd = at;
    this.valueStart = at + 1;
    this.valueEnd = this.valueStart + this.valueBytes();
    if (this.valueEnd > end || this.valueEnd < this.valueStart) throw malformed();
    return true;
  }

  get name(): string {
    return this.bytes.toString('utf8', this.nameStart, this.nameEnd);
  }

  private valueBytes(): number {
    const { type, bytes, valueStart } = this;
    const size = SIZES[type] ?? -1;
    if (size >= 0) return size;
    if (type === BSON.regularExpression) {
      const options = bytes.indexOf(0, valueStart) + 1;
      return bytes.indexOf(0, options) + 1 - valueStart;
    }
    if (valueStart + LENGTH_BYTES > this.end) throw malformed();
    const length = bytes.readInt32LE(valueStart);
    const least = type === BSON.string ? 1 : 0;
    if (length < least) throw malformed();
    return length + overhead(type);
  }
}

/** Returns true if an element's members get their own columns, like `isBranch` does for values. */
export function isBranchElement({ type, valueStart, valueEnd }: BsonElements): boolean {
  return type === BSON.object && valueEnd - valueStart > EMPTY_DOCUMENT_BYTES;
}

/** Returns the number of bytes in a value that its length field doesn't count. */
function overhead(type: number): number {
  switch (type) {
    case BSON.object:
    case BSON.array:
    case BSON.codeWithScope:
      return 0;
    case BSON.string:
    case BSON.code:
    case BSON.symbol:
      return LENGTH_BYTES;
    case BSON.binary:
      return LENGTH_BYTES + 1;
    case BSON.pointer:
      return LENGTH_BYTES + 12;
    default:
      throw malformed();
  }
}

function malformed(): RangeError {
  return new RangeError('A row is not valid BSON.');
}
