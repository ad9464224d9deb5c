/**
 * Duration of a slice in milliseconds. Slices are short because even a small call takes several
 * ticks of the event loop, and might have to wait for a slice in each tick.
 */
const SLICE_MS = 3;
/** Minimum rest in milliseconds. Timers don't have a finer resolution. */
const MIN_REST_MS = 1;

export interface LongWorkOptions {
  /** Duration of a slice in milliseconds. A slice ends with the step that exceeds this duration. */
  readonly sliceMs?: number;
  /**
   * Returns the time in milliseconds to rest after a tick that took `turnMs`; absent for no rest.
   */
  readonly getRestMs?: (turnMs: number) => number;
}

/**
 * Runs long work in slices, one slice per tick of the event loop. Regardless of how much work is
 * queued, other calls wait for only one slice at a time. New work alternates with running work, so
 * that short work doesn't have to wait for all queued work.
 */
export class LongWork {
  private readonly begun: (() => boolean)[] = [];
  private readonly fresh: (() => boolean)[] = [];
  private readonly sliceMs: number;
  private readonly getRestMs: (turnMs: number) => number;
  private isFreshNext = true;
  private isScheduled = false;

  constructor({ sliceMs = SLICE_MS, getRestMs = () => 0 }: LongWorkOptions = {}) {
    this.sliceMs = sliceMs;
    this.getRestMs = getRestMs;
  }

  /**
   * Runs all steps. The first slice runs in the next tick if no other work is queued.
   * @throws errors from the steps, and the signal's reason when it aborts
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
      this.schedule();
    });
  }

  /**
   * Resolves when the caller gets a slice. The slice is the synchronous code that the caller runs
   * next, however long it takes.
   */
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

  private schedule(): void {
    if (this.isScheduled || this.fresh.length + this.begun.length === 0) return;
    this.isScheduled = true;
    let start = 0;
    setImmediate(() => {
      start = performance.now();
      this.runTurn();
    });
    // Runs right after the code that the slice has resumed, before anything else.
    setImmediate(() => this.endTurn(performance.now() - start));
  }

  private runTurn(): void {
    const [first, second] = this.isFreshNext ? [this.fresh, this.begun] : [this.begun, this.fresh];
    const work = first.shift() ?? second.shift();
    this.isFreshNext = !this.isFreshNext;
    if (work !== undefined && !work()) this.begun.push(work);
  }

  private endTurn(turnMs: number): void {
    const resume = (): void => {
      this.isScheduled = false;
      this.schedule();
    };
    const restMs = this.getRestMs(turnMs);
    if (restMs >= MIN_REST_MS) setTimeout(resume, restMs);
    else resume();
  }
}

function* noSteps(): Generator<undefined, void, void> {
  yield* [];
}
