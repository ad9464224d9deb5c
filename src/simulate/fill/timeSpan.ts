import type { Random } from '../random';

/** A stretch of time over which captures are spread. */
export interface TimeSpan {
  start: Date;
  end: Date;
}

const LEAST_JITTER = 0.2;
const MOST_JITTER = 0.8;

/** When the capture of an index out of so many is made: evenly spread, and never quite regular. */
export function momentIn(
  { start, end }: TimeSpan,
  random: Random,
  index: number,
  count: number,
): Date {
  const interval = (end.getTime() - start.getTime()) / count;
  return new Date(
    start.getTime() + Math.floor((index + random.between(LEAST_JITTER, MOST_JITTER)) * interval),
  );
}
