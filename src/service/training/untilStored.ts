import { Code } from '@connectrpc/connect';
import { systemSleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { storeFaultOf } from '../store/storeErrors';

const FIRST_WAIT_MS = 200;
const MOST_WAIT_MS = 10_000;

/** Faults that pass: the database does not answer, is busy, or has no room for now. */
const PASSING: readonly (Code | undefined)[] = [Code.Unavailable, Code.ResourceExhausted];

/**
 * Writes to the store, again and again while it cannot be written to: what a training came to is worth
 * the wait.
 * @throws what the write throws otherwise, and the signal's reason.
 */
export async function untilStored<T>(
  write: () => Promise<T>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MOST_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const fault = storeFaultOf(error);
      if (!PASSING.includes(fault?.code)) {
        throw error;
      }
      logger.warn('a training waits for the store', { error: fault?.rawMessage });
      await systemSleep(wait, signal);
    }
  }
}
