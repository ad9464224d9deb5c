/** Types of elements, which are indicated by their first byte (https://bsonspec.org/spec.html). */
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
export const EMPTY_DOCUMENT_BYTES = 5;
