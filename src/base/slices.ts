/**
 * Duration of a slice in milliseconds: too short for users to notice but long enough to make
 * progress.
 */
const SLICE_MS = 15;

/**
 * Runs the steps of long work and yields to the event loop between slices.
 * @throws the signal's reason when it aborts
 */
export async function inSlices<T>(
  steps: Generator<unknown, T, void>,
  signal?: AbortSignal,
): Promise<T> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < SLICE_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
    since = performance.now();
  }
}

/** Runs all steps without yielding to the event loop. */
export function atOnce<T>(steps: Generator<unknown, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Yields to the event loop so that pending work, such as user input, runs first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs the work for items ahead of the consumer, at most `limit` at a time, and yields the results
 * in item order. Stops at the first failure.
 */
export async function* ahead<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // While the consumer awaits an earlier item, nothing handles this rejection. The loop below
      // throws it when its item is next.
      result.catch(() => undefined);
      running.push(result);
      const first = running.length >= limit ? running.shift() : undefined;
      if (first) yield await first;
    }
    for (let next = running.shift(); next; next = running.shift()) yield await next;
  } finally {
    await Promise.allSettled(running);
  }
}
