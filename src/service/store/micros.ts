import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Clock } from '../../base/clock';

/**
 * Point in time as an integer number of microseconds since the Unix epoch. This is the finest unit
 * that the store supports.
 */
export type Micros = number;

export const MICROS_PER_DAY = 86_400_000_000;
const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_MILLI = 1000;
export const NANOS_PER_MICRO = 1000;

/**
 * Returns a clock that never returns the same time twice. This preserves the order of items created
 * in the same millisecond.
 */
export function strictlyIncreasing(clock: Clock): () => Micros {
  let last = 0;
  return () => {
    last = Math.max(microsFromDate(clock.now()), last + 1);
    return last;
  };
}

/**
 * Truncates a timestamp to whole milliseconds, because clients with less precise dates send it back
 * as a version.
 */
export function wholeMillis(micros: Micros): Micros {
  return micros - (micros % MICROS_PER_MILLI);
}

/** Converts a date to the format used in the store. */
export function microsFromDate(date: Date): Micros {
  return date.getTime() * MICROS_PER_MILLI;
}

/** Converts a stored time to a date, truncated to milliseconds. */
export function dateFromMicros(micros: Micros): Date {
  return new Date(micros / MICROS_PER_MILLI);
}

/**
 * Converts a wire timestamp to the format used in the store. Truncates the timestamp to
 * microseconds. Clamps times that are centuries away, because they can't be represented as exact
 * integers, which databases require. The caller must validate times that have to be stored exactly.
 */
export function microsFromTimestamp(timestamp: Timestamp): Micros {
  const micros =
    Number(timestamp.seconds) * MICROS_PER_SECOND + Math.floor(timestamp.nanos / NANOS_PER_MICRO);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, micros));
}

/** Converts a stored time to the wire format. */
export function timestampFromMicros(micros: Micros): Timestamp {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  return create(TimestampSchema, {
    seconds: BigInt(seconds),
    nanos: (micros - seconds * MICROS_PER_SECOND) * NANOS_PER_MICRO,
  });
}

/** Converts a stored time, which can be null, to a wire timestamp. */
export function optionalTimestamp(micros: Micros | null): Timestamp | undefined {
  return micros === null ? undefined : timestampFromMicros(micros);
}
