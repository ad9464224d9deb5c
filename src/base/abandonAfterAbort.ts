import { onAbort } from './cancellation';
import type { Sleep } from './clock';

/**
 * Time in milliseconds for canceled work to clean up, for example to delete an incomplete file,
 * before the caller stops waiting for it.
 */
const CLEANUP_MS = 5000;

/**
 * Waits for `work`, which is expected to stop when the signal aborts. Stops waiting if the work is
 * still running five seconds after the signal aborts, for example because a network drive doesn't
 * respond. The work then continues, but its result is ignored.
 * @throws the errors of `work`; the signal's reason when the work is abandoned.
 */
export async function abandonAfterAbort<T>(
  work: Promise<T>,
  { signal, sleep }: { readonly signal: AbortSignal; readonly sleep: Sleep },
): Promise<T> {
  const finished = new AbortController();
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason as Error);
    const following = onAbort(signal, () => {
      void sleep(CLEANUP_MS, finished.signal).then(abandon, () => undefined);
    });
    work.then(resolve, reject).finally(() => {
      following.dispose();
      finished.abort();
    });
  });
}
