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

/**
 * Returns the result of work that a prompt starts, even if the user dismisses the prompt before the
 * work finishes. By then, the request has been sent, so its result must be handled.
 * @param prompt prompts the user, and passes each piece of work that it starts to its callback;
 *   throws when the user dismisses the prompt
 * @throws the errors of `prompt`, unless the last piece of work succeeds anyway
 */
export async function completeAfterCancel<Result>(
  prompt: (begun: (work: Promise<Result>) => Promise<Result>) => Promise<unknown>,
): Promise<Result> {
  let last: Promise<Result> | undefined;
  const begun = (work: Promise<Result>): Promise<Result> => {
    last = work;
    return work;
  };
  try {
    await prompt(begun);
  } catch (error) {
    const result = last?.then((value) => ({ value }));
    const came = await result?.catch(() => undefined);
    if (!came) throw error;
    return came.value;
  }
  if (!last) throw new Error('The question ended without its work.');
  return last;
}
