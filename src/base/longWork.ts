/** A small call takes a few turns of the event loop, and waits for a slice in each. */
const SLICE_MS = 5;
/** One works while another waits for the database. */
const MAX_LARGE = 2;

/**
 * Runs long work in slices: one slice in each turn of the event loop. However much work waits, other calls wait for one
 * slice at a time. Work that begins takes turns with work that goes on, so that short work doesn't wait for all of it.
 */
export class LongWork {
  private readonly begun: (() => boolean)[] = [];
  private readonly fresh: (() => boolean)[] = [];
  private isFreshNext = true;
  private isScheduled = false;
  private largeCount = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param sliceMs how long a slice takes, from which the last step is finished */
  constructor(private readonly sliceMs = SLICE_MS) {}

  /**
   * Runs all steps. When nothing else waits, the first slice runs immediately.
   * @throws the error of a step, and the signal's reason when it aborts
   */
  run<T>(steps: Generator<unknown, T, void>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      this.fresh.push(() => {
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

  /** Resolves when the caller has a slot: the synchronous code after it is its slice, however long it takes. */
  waitForTurn(signal?: AbortSignal): Promise<void> {
    return this.run(noSteps(), signal);
  }

  /**
   * Runs work with data that takes much memory, such as the objects of a large JSON text: two at a time, the others in
   * the order in which they came. The work must not call this method again, which would wait for itself.
   * @throws the error of the work, and the signal's reason when it aborts before the work begins
   */
  async runLarge<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.largeCount >= MAX_LARGE) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.largeCount += 1;
    }
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The next one takes over.
      if (next === undefined) this.largeCount -= 1;
      else next();
    }
  }

  private runSlice<T>(steps: Generator<unknown, T, void>): IteratorResult<unknown, T> {
    const end = performance.now() + this.sliceMs;
    for (;;) {
      const step = steps.next();
      if (step.done === true || performance.now() >= end) return step;
    }
  }

  private startTurn(): void {
    const [first, second] = this.isFreshNext ? [this.fresh, this.begun] : [this.begun, this.fresh];
    const work = first.shift() ?? second.shift();
    if (work === undefined) return;
    this.isFreshNext = !this.isFreshNext;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.startTurn();
    });
    if (!work()) this.begun.push(work);
  }
}

function* noSteps(): Generator<undefined, void, void> {
  yield* [];
}
