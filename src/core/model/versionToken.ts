import type { Timestamp } from '@bufbuild/protobuf/wkt';

declare const versionBrand: unique symbol;

/**
 * Revision of a resource from which a text was read: its `last_updated`, as `<seconds>.<9 digits>`.
 * Compare for equality and pass back to the store; milliseconds would lose the wire's microseconds.
 */
export type VersionToken = string & { readonly [versionBrand]: true };

const NANOS_DIGITS = 9;
const NANOS_PER_MILLISECOND = 1_000_000;
const MILLISECONDS_PER_SECOND = 1_000;

export function toVersionToken(timestamp: Timestamp): VersionToken {
  return `${timestamp.seconds}.${String(timestamp.nanos).padStart(NANOS_DIGITS, '0')}` as VersionToken;
}

/** Returns the wire form as the fields of a message, for `last_known_update`. */
export function versionToTimestamp(version: VersionToken): Pick<Timestamp, 'seconds' | 'nanos'> {
  const [seconds = '0', nanos = '0'] = version.split('.');
  return { seconds: BigInt(seconds), nanos: Number(nanos) };
}

/** Returns milliseconds since 1970, for a document's `mtime` and for display. */
export function versionToMilliseconds(version: VersionToken): number {
  const { seconds, nanos } = versionToTimestamp(version);
  return Number(seconds) * MILLISECONDS_PER_SECOND + Math.floor(nanos / NANOS_PER_MILLISECOND);
}
