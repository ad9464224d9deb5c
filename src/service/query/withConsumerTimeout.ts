import { Code, ConnectError } from '@connectrpc/connect';

/** Timeouts for consuming rows. */
export interface TakingLimits {
  /** Maximum time between two requests for rows, in seconds. */
  untakenSeconds: number;
  /** Maximum total time, in seconds. */
  takingSeconds: number;
}

/**
 * Forwards chunks, but aborts the source if the consumer is idle for too long or too slow. A query
 * that waits for its consumer blocks other queries and the deletion of files.
 * @throws DeadlineExceeded when the consumer requests the next chunk.
 */
export async function* withConsumerTimeout<T>(
  source: AsyncGenerator<T, void>,
  { untakenSeconds, takingSeconds }: TakingLimits,
): AsyncGenerator<T, void> {
  let left = takingSeconds * 1000;
  let failure: ConnectError | undefined;
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      const wait = Math.min(untakenSeconds * 1000, left);
      const timer = setTimeout(() => {
        failure = wait < left ? createIdleError(untakenSeconds) : tooSlow(takingSeconds);
        source.return().catch(() => undefined);
      }, wait);
      const since = performance.now();
      try {
        yield next.value;
      } finally {
        clearTimeout(timer);
        left -= performance.now() - since;
      }
      if (failure !== undefined) {
        throw failure;
      }
    }
  } finally {
    await source.return();
  }
}

function createIdleError(seconds: number): ConnectError {
  return new ConnectError(
    `the query was canceled: the client read no rows for ${String(seconds)} seconds`,
    Code.DeadlineExceeded,
  );
}

function tooSlow(seconds: number): ConnectError {
  return new ConnectError(
    `the query was stopped because its rows were read too slowly (limit: ${String(seconds)} seconds in total); query fewer rows`,
    Code.DeadlineExceeded,
  );
}
