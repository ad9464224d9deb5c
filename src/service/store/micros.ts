import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Clock } from '../../base/clock';

/** A point in time as whole microseconds since the Unix epoch: the finest unit the store keeps. */
export type Micros = number;

export const MICROS_PER_DAY = 86_400_000_000;
const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_MILLI = 1000;
const NANOS_PER_MICRO = 1000;

/**
 * The present moment, never the same twice: what is made in the same millisecond still sorts in
 * the order in which it was made.
 */
export function strictlyIncreasing(clock: Clock): () => Micros {
  let last = 0;
  return () => {
    last = Math.max(microsFromDate(clock.now()), last + 1);
    return last;
  };
}

/** The moment cut to whole milliseconds, for versions that clients with coarser dates send back. */
export function wholeMillis(micros: Micros): Micros {
  return micros - (micros % MICROS_PER_MILLI);
}

/** The store's form of a date. */
export function microsFromDate(date: Date): Micros {
  return date.getTime() * MICROS_PER_MILLI;
}

/** The date of a stored time, cut to milliseconds. */
export function dateFromMicros(micros: Micros): Date {
  return new Date(micros / MICROS_PER_MILLI);
}

/**
 * The store's form of a wire timestamp; finer than a microsecond is cut off, and so is what lies
 * more than centuries away, where numbers are no longer exact: databases want whole ones. What is
 * to be kept as it was sent is checked before.
 */
export function microsFromTimestamp(timestamp: Timestamp): Micros {
  const micros =
    Number(timestamp.seconds) * MICROS_PER_SECOND + Math.floor(timestamp.nanos / NANOS_PER_MICRO);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, micros));
}

/** The wire form of a stored time. */
export function timestampFromMicros(micros: Micros): Timestamp {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  return create(TimestampSchema, {
    seconds: BigInt(seconds),
    nanos: (micros - seconds * MICROS_PER_SECOND) * NANOS_PER_MICRO,
  });
}

/** The wire form of a stored time that may be unset. */
export function optionalTimestamp(micros: Micros | null): Timestamp | undefined {
  return micros === null ? undefined : timestampFromMicros(micros);
}
