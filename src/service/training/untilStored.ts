import { Code } from '@connectrpc/connect';
import { systemSleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { toStoreError } from '../store/storeErrors';

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 10_000;

interface UntilStoredOptions {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * True to also wait for disk space. Use this only for small writes, which succeed as soon as
   * anything is deleted.
   */
  readonly waitsForRoom: boolean;
}

/**
 * Writes to the store. Retries while the database is busy or doesn't respond, because the result of
 * a training job is valuable. Always tries at least once, even if the signal is aborted, because a
 * job that ends while its service is stopping must not run again.
 * @throws any other error of the write; the signal's reason.
 */
export async function retryWhileUnavailable<T>(
  write: () => Promise<T>,
  { signal, logger, waitsForRoom }: UntilStoredOptions,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      const storeError = toStoreError(error);
      const passes =
        storeError?.code === Code.Unavailable ||
        (waitsForRoom && storeError?.code === Code.ResourceExhausted);
      if (!passes) {
        throw error;
      }
      logger.warn('a training waits for the store', { error: storeError.rawMessage });
      await systemSleep(wait, signal);
    }
  }
}
