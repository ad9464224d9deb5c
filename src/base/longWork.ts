/**
 * Duration of a slice. Even a small call takes a few ticks of the event loop and can wait for a
 * slice in each of them, so slices are short.
 */
const SLICE_MS = 3;
/** Minimum rest, because timers have no finer resolution. */
const MIN_REST_MS = 1;

export interface LongWorkOptions {
  /** Duration of a slice in milliseconds. A slice ends with the step that exceeds this duration. */
  readonly sliceMs?: number;
  /** Returns the time to rest after a tick; absent for no rest. */
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

  /**
   * Resolves when the caller has a slot. The caller's next synchronous code is the slice, however
   * long it takes.
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
    // Runs after the code that the slice resumed, and before anything else.
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
