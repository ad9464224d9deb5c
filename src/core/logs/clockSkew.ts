import { MICROS_PER_MILLISECOND } from '../model/micros';
import type { LogLine } from './logItem';

/**
 * Maximum difference in milliseconds between the timestamp of a line and its time of receipt that
 * doesn't count as clock skew.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Returns the difference in milliseconds between the timestamp of a line and its time of receipt;
 * negative if the timestamp is earlier. Returns undefined for differences within
 * `MAX_CLOCK_SKEW_MS`, and if the time of receipt is unknown.
 */
export function getClockSkew({
  micros,
  receivedMicros,
}: Pick<LogLine, 'micros' | 'receivedMicros'>): number | undefined {
  if (receivedMicros === undefined) return undefined;
  const skew = Math.trunc((micros - receivedMicros) / MICROS_PER_MILLISECOND);
  return Math.abs(skew) > MAX_CLOCK_SKEW_MS ? skew : undefined;
}
