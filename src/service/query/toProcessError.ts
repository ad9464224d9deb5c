import { Code, ConnectError } from '@connectrpc/connect';
import { exhausted, unavailable, unimplemented } from '../errors';

/** Text that a process writes to stderr when it exits because of its memory limit. */
export const MEMORY_MARK = 'query process: out of memory';

/** Message for a query that exceeds its memory limit. */
export const TOO_MUCH_MEMORY =
  'the query exceeded the memory limit: select fewer columns or rows, or aggregate; ' +
  'start pipelines with $match, $project, or $limit';

const MEMORY_SIGNS = [MEMORY_MARK, 'heap out of memory', 'bad_alloc'];

/** Returns the error to report when a job's process has exited. */
export function toProcessError(stderr: string): ConnectError {
  if (MEMORY_SIGNS.some((sign) => stderr.includes(sign))) return tooMuchMemory();
  return unavailable(
    'the process that ran the query exited unexpectedly; try again, or query less data',
  );
}

/** Returns the error for a query that exceeded its memory limit. */
function tooMuchMemory(): ConnectError {
  return exhausted(TOO_MUCH_MEMORY);
}

/** Returns the error for a process that took too long to start. */
export function notStarted(): ConnectError {
  return unavailable('the process for the query did not start in time: try again later');
}

/** Returns the error for a query that timed out. */
export function tooLong(seconds: number): ConnectError {
  return new ConnectError(
    `the query was stopped after ${String(seconds)} seconds: query a shorter time range or fewer rows`,
    Code.DeadlineExceeded,
  );
}

/** Returns the error for an installation without a query process program. */
export function queriesUnavailable(reason: string): ConnectError {
  return unimplemented(`queries are not available in this installation: ${reason}`);
}
