import type { Interceptor } from '@connectrpc/connect';
import { systemSleep } from '../../base/clock';
import { LongWork, type LongWorkOptions } from '../../base/longWork';
import { atOnce, nextTurn } from '../../base/slices';
import { exhausted } from '../errors';
import { MAX_SMALL_BYTES } from '../store/textSizes';
import { FairBudget } from './fairBudget';

/** One works while another waits for the database. */
const MAX_LARGE = 2;
const MAX_WAIT_MS = 60_000;
/** The average wait that turns add to other calls is at most half of it. */
const REST_DIVISOR_MS = 2;
/** After a turn of 63 ms. */
const MAX_REST_MS = 2_000;
const MAX_REST_IN_WORK_MS = 20;
/** Time after a small call during which more of them are expected. */
const CONTENTION_MS = 500;

/** Runs the steps of some work: all at once, or in slices. */
export type RunSteps = <T>(steps: Generator<unknown, T, void>) => T | Promise<T>;

/** Adds the size of documents that are read next. It can throw an error, which must pass through. */
type AddBytes = (bytes: number) => void;

/** The caller of a call, and a signal that aborts when the call ends. */
export interface LargeCall {
  readonly caller: string;
  readonly signal: AbortSignal;
}

/**
 * Runs long work on large documents, such as configs. Some of its steps can't be sliced: parsing a text, writing to the
 * embedded store, putting an answer together. So it rests after each turn, and much longer after a long one, so that few
 * of the other calls meet such a step. Most of the rest is taken before the next large work begins. Without other calls
 * there is no rest.
 */
export class DocumentWork extends LongWork {
  private readonly slots = new FairBudget({ capacity: MAX_LARGE, maxWaitMs: MAX_WAIT_MS });
  private restEnd = 0;
  private lastSmallCall = Number.NEGATIVE_INFINITY;
  private readonly largeCalls = new WeakSet<AbortSignal>();

  /** Records the calls for which large work must leave time. */
  readonly interceptor: Interceptor = (next) => async (request) => {
    try {
      return await next(request);
    } finally {
      if (!this.largeCalls.has(request.signal)) this.lastSmallCall = performance.now();
    }
  };

  constructor(options: LongWorkOptions = {}) {
    super({ getRestMs: (turnMs) => this.addRest(turnMs), ...options });
  }

  /** Runs work on small documents at once, and on large ones as `runLarge` does. */
  runSized<T>(isLarge: boolean, call: LargeCall, work: (run: RunSteps) => Promise<T>): Promise<T> {
    return isLarge ? this.runLarge(call, work) : work(atOnce);
  }

  /**
   * Runs work whose documents are found one by one. It starts at once, and is stopped and run again
   * as `runLarge` does when they are large together. Before it adds the size of the last of them,
   * it must have no effects.
   */
  async runMeasured<T>(call: LargeCall, work: (addBytes: AddBytes) => Promise<T>): Promise<T> {
    let total = 0;
    const tooLarge = new Error('the documents are too large to work on them at once');
    try {
      return await work((bytes) => {
        total += bytes;
        if (total > MAX_SMALL_BYTES) throw tooLarge;
      });
    } catch (error) {
      if (error !== tooLarge) throw error;
    }
    return this.runLarge(call, () => work(() => undefined));
  }

  /**
   * Runs work with data that takes much memory, such as the objects of a large JSON text: two at a time, of different
   * callers. The work begins with a turn of its own. It must not call this method again, which would wait for itself.
   * @throws the error of the work, ResourceExhausted when others take too long, and the signal's reason when it aborts
   *   before the work begins
   */
  async runLarge<T>(
    { caller, signal }: LargeCall,
    work: (run: RunSteps) => Promise<T>,
  ): Promise<T> {
    this.largeCalls.add(signal);
    const slot = await this.slots.reserve(1, caller, signal);
    if (slot === undefined) {
      throw exhausted('the service is busy with other large documents: try again in a minute');
    }
    try {
      // The turn that has released the slot is still to be counted.
      await nextTurn();
      await systemSleep(Math.max(0, this.restEnd - performance.now()), signal);
      await this.waitForTurn(signal);
      return await work((steps) => this.run(steps, signal));
    } finally {
      slot.release();
    }
  }

  /** Adds the rest that follows a turn, and returns how much of it work in progress takes. */
  private addRest(turnMs: number): number {
    const now = performance.now();
    if (now - this.lastSmallCall > CONTENTION_MS) return 0;
    const restMs = computeRestMs(turnMs);
    this.restEnd = Math.min(Math.max(this.restEnd, now) + restMs, now + MAX_REST_MS);
    return Math.min(restMs, MAX_REST_IN_WORK_MS);
  }
}

/**
 * Returns how long to rest after a turn. A call that arrives during a turn waits for half of it on average, and the
 * longer the turn, the more calls arrive during it: with a rest of the turn's square, longer turns don't make the
 * average wait longer.
 */
function computeRestMs(turnMs: number): number {
  return turnMs ** 2 / REST_DIVISOR_MS;
}
