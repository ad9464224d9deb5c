/** Well below what a person notices, and long enough to get somewhere. */
const SLICE_MS = 15;

/**
 * Goes through steps of long work, and lets others have a turn in between.
 * @throws the signal's reason when it is aborted
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
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  }
}

/** Goes through all steps at once. */
export function atOnce<T>(steps: Generator<unknown, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Lets what waits, such as input of a person, come first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
