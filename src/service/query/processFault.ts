import { Code, ConnectError } from '@connectrpc/connect';
import { exhausted, unavailable, unimplemented } from '../errors';

/** What a process writes to stderr when it ends itself for the memory it took. */
export const MEMORY_MARK = 'query process: out of memory';

/** What is said of a query that wants more memory than one may have. */
export const TOO_MUCH_MEMORY =
  'the query exceeded the memory limit: select fewer columns or rows, or aggregate; ' +
  'start pipelines with $match, $project, or $limit';

const MEMORY_SIGNS = [MEMORY_MARK, 'heap out of memory', 'bad_alloc'];

/** Why a process ended within a job, as the caller of the job reads it. */
export function processFault(stderr: string): ConnectError {
  if (MEMORY_SIGNS.some((sign) => stderr.includes(sign))) {
    return tooMuchMemory();
  }
  return unavailable(
    'the process that ran the query exited unexpectedly; try again, or query less data',
  );
}

/** The query took more memory than one may. */
export function tooMuchMemory(): ConnectError {
  return exhausted(TOO_MUCH_MEMORY);
}

/** The process took too long to start. */
export function notStarted(): ConnectError {
  return unavailable('the process for the query did not start in time: try again later');
}

/** The query took longer than one may. */
export function tooLong(seconds: number): ConnectError {
  return new ConnectError(
    `the query was stopped after ${String(seconds)} seconds: query a shorter time range or fewer rows`,
    Code.DeadlineExceeded,
  );
}

/** This installation has no program that runs queries. */
export function queriesUnavailable(reason: string): ConnectError {
  return unimplemented(`queries are not available in this installation: ${reason}`);
}
