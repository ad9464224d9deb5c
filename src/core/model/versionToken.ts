import type { Timestamp } from '@bufbuild/protobuf/wkt';

declare const versionBrand: unique symbol;

/**
 * Revision of a resource at which a text was read: the resource's `last_updated`, as `<seconds>.<9
 * digits>`. Use only for equality checks and for passing back to the store. Milliseconds would lose
 * the microseconds of the wire format.
 */
export type VersionToken = string & { readonly [versionBrand]: true };

const NANOS_DIGITS = 9;
const NANOS_PER_MILLISECOND = 1_000_000;
const MILLISECONDS_PER_SECOND = 1_000;

export function toVersionToken(timestamp: Timestamp): VersionToken {
  return `${timestamp.seconds}.${String(timestamp.nanos).padStart(NANOS_DIGITS, '0')}` as VersionToken;
}

/** Converts a version to the fields of a wire message, for `last_known_update`. */
export function versionToTimestamp(version: VersionToken): Pick<Timestamp, 'seconds' | 'nanos'> {
  const [seconds = '0', nanos = '0'] = version.split('.');
  return { seconds: BigInt(seconds), nanos: Number(nanos) };
}

/** Converts a version to milliseconds since 1970, for a document's `mtime` and for display. */
export function versionToMilliseconds(version: VersionToken): number {
  const { seconds, nanos } = versionToTimestamp(version);
  return Number(seconds) * MILLISECONDS_PER_SECOND + Math.floor(nanos / NANOS_PER_MILLISECOND);
}
