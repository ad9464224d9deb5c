import { type DisposableLike, toDisposable } from './disposable';

/** The members of a VS Code `CancellationToken` that this code needs. */
export interface CancellationTokenLike {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): DisposableLike;
}

/** Signal that aborts when a token is canceled. Must be disposed of when the work is done. */
export interface LinkedSignal extends DisposableLike {
  readonly signal: AbortSignal;
}

/**
 * Converts a cancellation token to an `AbortSignal`. For use wherever VS Code calls this extension.
 */
function signalFromToken(token: CancellationTokenLike): LinkedSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) {
    controller.abort();
    return { signal: controller.signal, dispose: () => undefined };
  }
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}

/**
 * Runs `work` with a signal that aborts when `token` is canceled. Stops listening to the token
 * afterward.
 */
export async function withToken<T>(
  token: CancellationTokenLike,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = signalFromToken(token);
  try {
    return await work(linked.signal);
  } finally {
    linked.dispose();
  }
}

/** Calls `listener` when the signal aborts, or immediately if it's already aborted. */
export function onAbort(signal: AbortSignal, listener: () => void): DisposableLike {
  if (signal.aborted) {
    listener();
    return toDisposable(() => undefined);
  }
  signal.addEventListener('abort', listener, { once: true });
  return toDisposable(() => signal.removeEventListener('abort', listener));
}

/**
 * Waits for `work` until it finishes or the signal aborts. The work itself continues.
 * @throws the signal's reason when it aborts first.
 */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const following = onAbort(signal, () => reject(signal.reason as Error));
    work.then(resolve, reject).finally(() => following.dispose());
  });
}
