import { MICROS_PER_MILLISECOND } from '../model/micros';
import type { LogLine } from './logItem';

/** A larger difference between the time of a line and the time at which it was received is a skewed clock. */
export const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Returns how far the time of a line is after the time at which it was received, in milliseconds; negative
 * when it is before. Undefined within `MAX_CLOCK_SKEW_MS`, and when the time of receipt is unknown.
 */
export function getClockSkew({
  micros,
  receivedMicros,
}: Pick<LogLine, 'micros' | 'receivedMicros'>): number | undefined {
  if (receivedMicros === undefined) return undefined;
  const skew = Math.trunc((micros - receivedMicros) / MICROS_PER_MILLISECOND);
  return Math.abs(skew) > MAX_CLOCK_SKEW_MS ? skew : undefined;
}
