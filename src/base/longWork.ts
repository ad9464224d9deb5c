/** A small call takes a few turns of the event loop, and waits for a slice in each. */
const SLICE_MS = 5;

/**
 * Runs long work in slices: one slice in each turn of the event loop, of one piece of work after the other. However
 * much work waits, other calls wait for one slice at a time.
 */
export class LongWork {
  private readonly queue: (() => boolean)[] = [];
  private isScheduled = false;

  /** @param sliceMs how long a slice takes, from which the last step is finished */
  constructor(private readonly sliceMs = SLICE_MS) {}

  /**
   * Goes through all steps. What is done in one slice is done at once when nothing else waits.
   * @throws the error of a step, and the signal's reason when it aborts
   */
  run<T>(steps: Generator<unknown, T, void>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      this.queue.push(() => {
        try {
          signal?.throwIfAborted();
          const step = this.runSlice(steps);
          if (step.done !== true) return false;
          resolve(step.value);
        } catch (error) {
          const failure: Error = error as Error;
          reject(failure);
        }
        return true;
      });
      if (!this.isScheduled) this.startTurn();
    });
  }

  /** Resolves when it is this work's turn: what follows without waiting is its slice, however long it takes. */
  waitForTurn(signal?: AbortSignal): Promise<void> {
    return this.run(noSteps(), signal);
  }

  private runSlice<T>(steps: Generator<unknown, T, void>): IteratorResult<unknown, T> {
    const end = performance.now() + this.sliceMs;
    for (;;) {
      const step = steps.next();
      if (step.done === true || performance.now() >= end) return step;
    }
  }

  private startTurn(): void {
    const work = this.queue.shift();
    if (work === undefined) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.startTurn();
    });
    if (!work()) this.queue.push(work);
  }
}

function* noSteps(): Generator<undefined, void, void> {
  yield* [];
}
