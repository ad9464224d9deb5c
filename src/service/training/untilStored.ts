import { Code } from '@connectrpc/connect';
import { systemSleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { storeFaultOf } from '../store/storeErrors';

const FIRST_WAIT_MS = 200;
const MOST_WAIT_MS = 10_000;

interface UntilStoredOptions {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Whether it waits for room on the disk as well: what is little enough to fit once anything is freed. */
  readonly waitsForRoom: boolean;
}

/**
 * Writes to the store, again and again while its database does not answer or is busy: what a training
 * came to is worth the wait. It is tried once also when the signal has aborted: a job that has ended while
 * its service stops is not to be done again.
 * @throws what the write throws otherwise, and the signal's reason.
 */
export async function untilStored<T>(
  write: () => Promise<T>,
  { signal, logger, waitsForRoom }: UntilStoredOptions,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MOST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      const fault = storeFaultOf(error);
      const passes =
        fault?.code === Code.Unavailable ||
        (waitsForRoom && fault?.code === Code.ResourceExhausted);
      if (!passes) {
        throw error;
      }
      logger.warn('a training waits for the store', { error: fault.rawMessage });
      await systemSleep(wait, signal);
    }
  }
}
