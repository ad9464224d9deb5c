/** A small call takes a few turns of the event loop, and can wait for a slice in each. */
const SLICE_MS = 3;
/** Timers are no finer. */
const MIN_REST_MS = 1;

export interface LongWorkOptions {
  /** The duration of a slice, after which the current step is finished. */
  readonly sliceMs?: number;
  /** Returns how long to rest after a turn; absent, there is no rest. */
  readonly getRestMs?: (turnMs: number) => number;
}

/**
 * Runs long work in slices, one slice per tick of the event loop. Regardless of how much work is
 * queued, other calls wait for one slice at a time. New work takes turns with running work, so that
 * short work doesn't wait for all of it.
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
   * Runs all steps, the first slice in the next turn when nothing else waits.
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
      this.schedule();
    });
  }

  /** Resolves when the caller has a slot: the synchronous code after it is its slice, however long it takes. */
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
    // Runs after the code that the slice has resumed, and before anything else.
    setImmediate(() => this.endTurn(performance.now() - start));
  }

  private runTurn(): void {
    const [first, second] = this.isFreshNext ? [this.fresh, this.begun] : [this.begun, this.fresh];
    const work = first.shift() ?? second.shift();
    this.isFreshNext = !this.isFreshNext;
    if (work !== undefined && !work()) this.begun.push(work);
  }

  private endTurn(turnMs: number): void {
    const goOn = (): void => {
      this.isScheduled = false;
      this.schedule();
    };
    const restMs = this.getRestMs(turnMs);
    if (restMs >= MIN_REST_MS) setTimeout(goOn, restMs);
    else goOn();
  }
}

function* noSteps(): Generator<undefined, void, void> {
  yield* [];
}
