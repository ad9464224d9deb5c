import { counted } from './managed/counted';

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
