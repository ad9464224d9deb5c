import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';

/** A point in time as whole microseconds since the Unix epoch: the finest unit the store keeps. */
export type Micros = number;

const MICROS_PER_SECOND = 1_000_000;
const MICROS_PER_MILLI = 1000;
const NANOS_PER_MICRO = 1000;

/** The store's form of a date. */
export function microsFromDate(date: Date): Micros {
  return date.getTime() * MICROS_PER_MILLI;
}

/** The store's form of a wire timestamp; finer than a microsecond is cut off. */
export function microsFromTimestamp(timestamp: Timestamp): Micros {
  return (
    Number(timestamp.seconds) * MICROS_PER_SECOND + Math.floor(timestamp.nanos / NANOS_PER_MICRO)
  );
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
