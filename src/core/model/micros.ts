/** Times of logs are microseconds since 1970, as whole numbers: finer than a `Date`. */
export const MICROS_PER_MILLISECOND = 1_000;

export function microsOf(date: Date): number {
  return date.getTime() * MICROS_PER_MILLISECOND;
}

/** Milliseconds since 1970; what is finer is cut off. */
export function millisecondsOf(micros: number): number {
  return Math.floor(micros / MICROS_PER_MILLISECOND);
}
