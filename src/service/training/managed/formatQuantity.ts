const MIB = 1024 ** 2;
const SECONDS_PER_MINUTE = 60;

/** Formats a memory or disk limit. */
export function mebibytes(bytes: number): string {
  return `${String(Math.round(bytes / MIB))} MiB`;
}

/** Formats a time limit in whole minutes, or in seconds if it is less than one minute. */
export function minutes(seconds: number): string {
  return seconds < SECONDS_PER_MINUTE
    ? counted(seconds, 'second')
    : counted(Math.round(seconds / SECONDS_PER_MINUTE), 'minute');
}

/** Returns a number with a noun, such as `1 image` or `2 images`. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
