import type { Timestamp } from '@bufbuild/protobuf/wkt';

/**
 * Number of microseconds in a millisecond. Timestamps of logs and captures are integer microseconds
 * since 1970, which is more precise than a `Date`.
 */
export const MICROS_PER_MILLISECOND = 1_000;

const MICROS_PER_SECOND = 1_000_000;
const NANOS_PER_MICRO = 1_000;

export function toMicros(date: Date): number {
  return date.getTime() * MICROS_PER_MILLISECOND;
}

/** Converts microseconds to milliseconds since 1970, truncated. */
export function toMilliseconds(micros: number): number {
  return Math.floor(micros / MICROS_PER_MILLISECOND);
}

/**
 * Converts a timestamp to microseconds. Machines can report any year, so times beyond the range of
 * exact integers are clamped.
 */
export function timestampToMicros({ seconds, nanos }: Timestamp): number {
  const micros = Number(seconds) * MICROS_PER_SECOND + Math.floor(nanos / NANOS_PER_MICRO);
  return Math.min(Math.max(micros, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** Converts microseconds to the fields in a wire message. */
export function microsToTimestamp(micros: number): Pick<Timestamp, 'seconds' | 'nanos'> {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  return {
    seconds: BigInt(seconds),
    nanos: (micros - seconds * MICROS_PER_SECOND) * NANOS_PER_MICRO,
  };
}

/** Formats a time in UTC as ISO 8601 with microsecond precision. */
export function isoMicros(micros: number): string {
  const milliseconds = toMilliseconds(micros);
  const rest = micros - milliseconds * MICROS_PER_MILLISECOND;
  return new Date(milliseconds).toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

declare const versionBrand: unique symbol;

/**
 * Revision that a resource had when its text was read: the resource's `last_updated`, as
 * `<seconds>.<9 digits>`. Use only for equality checks and for passing back to the store.
 * Milliseconds would lose the microseconds of the wire format.
 */
export type VersionToken = string & { readonly [versionBrand]: true };

const NANOS_DIGITS = 9;
const NANOS_PER_MILLISECOND = 1_000_000;
const MILLISECONDS_PER_SECOND = 1_000;

export function toVersionToken(timestamp: Timestamp): VersionToken {
  return `${timestamp.seconds}.${String(timestamp.nanos).padStart(NANOS_DIGITS, '0')}` as VersionToken;
}

/** Converts a version to the fields in a wire message, for `last_known_update`. */
export function versionToTimestamp(version: VersionToken): Pick<Timestamp, 'seconds' | 'nanos'> {
  const [seconds = '0', nanos = '0'] = version.split('.');
  return { seconds: BigInt(seconds), nanos: Number(nanos) };
}

/** Converts a version to milliseconds since 1970, for a document's `mtime` and for display. */
export function versionToMilliseconds(version: VersionToken): number {
  return timestampToMilliseconds(versionToTimestamp(version));
}

/** Converts a timestamp to milliseconds since 1970, truncated. */
export function timestampToMilliseconds({
  seconds,
  nanos,
}: Pick<Timestamp, 'seconds' | 'nanos'>): number {
  return Number(seconds) * MILLISECONDS_PER_SECOND + Math.floor(nanos / NANOS_PER_MILLISECOND);
}
