import type { Random } from '../random';

/** A time range over which captures are distributed. */
export interface TimeSpan {
  start: Date;
  end: Date;
}

const MIN_JITTER = 0.2;
const MAX_JITTER = 0.8;

/**
 * Returns the time of the capture at a given index. The times are distributed evenly with some
 * randomness.
 */
export function getCaptureTime(
  { start, end }: TimeSpan,
  random: Random,
  index: number,
  count: number,
): Date {
  const interval = (end.getTime() - start.getTime()) / count;
  return new Date(
    start.getTime() + Math.floor((index + random.between(MIN_JITTER, MAX_JITTER)) * interval),
  );
}
