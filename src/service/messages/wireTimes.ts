import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { invalid } from '../errors';
import { type Micros, microsFromDate, microsFromTimestamp, NANOS_PER_MICRO } from '../store/micros';

/** Range of google.protobuf.Timestamp: the years 1 to 9999. */
const SECONDS = { first: -62_135_596_800n, last: 253_402_300_799n };
const MAX_NANOS = 999_999_999;
/** Full years whose microseconds the store can represent exactly. */
const STORABLE_YEARS = { first: 1685, last: 2254 };
const STORABLE = {
  from: yearStart(STORABLE_YEARS.first),
  before: yearStart(STORABLE_YEARS.last + 1),
};

/**
 * Parses a time from a caller, for comparison with stored times.
 * @throws InvalidArgument if it is not a valid time.
 */
export function comparedTime(time: Timestamp, field: string): Micros {
  const { seconds, nanos } = time;
  const isTime =
    seconds >= SECONDS.first && seconds <= SECONDS.last && nanos >= 0 && nanos <= MAX_NANOS;
  if (!isTime) {
    throw invalid(
      `${field}: must be a time in the years 1 to 9999, with nanos from 0 to ${String(MAX_NANOS)}`,
    );
  }
  return microsFromTimestamp(time);
}

/**
 * Parses a limit of a time range. A limit outside the years 1 to 9999 includes or excludes all
 * times, so it is accepted. Rounds nanoseconds up to the next microsecond: stored times have this
 * precision, so the range contains the same times.
 * @throws InvalidArgument if its nanoseconds are invalid.
 */
export function toRangeLimit(time: Timestamp, field: string): Micros {
  if (time.nanos < 0 || time.nanos > MAX_NANOS) {
    throw invalid(`${field}: nanos must be from 0 to ${String(MAX_NANOS)}`);
  }
  const micros = microsFromTimestamp(time);
  return time.nanos % NANOS_PER_MICRO === 0 ? micros : micros + 1;
}

/**
 * Parses a time from a caller, for storage. Returns undefined if there is none.
 * @throws InvalidArgument if it is not a valid time or can't be stored exactly.
 */
export function toStoredTime(time: Timestamp | undefined, field: string): Micros | undefined {
  if (time === undefined) return undefined;
  const micros = comparedTime(time, field);
  if (micros < STORABLE.from || micros >= STORABLE.before) {
    throw invalid(
      `${field}: must be a time in the years ${String(STORABLE_YEARS.first)} to ${String(STORABLE_YEARS.last)}`,
    );
  }
  return micros;
}

function yearStart(year: number): Micros {
  return microsFromDate(new Date(Date.UTC(year, 0)));
}
