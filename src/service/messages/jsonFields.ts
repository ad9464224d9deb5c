import type { JsonValue } from '@bufbuild/protobuf';
import { parseGoDuration } from '../goDuration';

/** Returns a string; empty if the value isn't a string. */
export function getString(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a number; 0 if the value isn't a number. */
export function getNumber(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/**
 * Converts a duration such as `1m30s` to Protobuf's JSON representation; undefined if the duration
 * is invalid.
 */
export function durationJson(value: JsonValue | undefined): string | undefined {
  const micros = parseGoDuration(getString(value));
  return micros === undefined ? undefined : `${(micros / 1_000_000).toFixed(6)}s`;
}
