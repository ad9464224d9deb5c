/**
 * BSON binary subtypes in the stream of rows, for times that BSON dates can't represent
 * (`exact_values` in the API contract). Subtypes from 128 on are reserved for applications.
 */
export const EXACT_TIME = {
  /** Microseconds since the Unix epoch: a little-endian int64. */
  micros: 0x80,
  /** Nanoseconds since the Unix epoch: a little-endian int64. */
  nanos: 0x81,
  /** Days since the Unix epoch: a little-endian int32. */
  days: 0x82,
} as const;
