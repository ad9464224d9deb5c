import type { Interceptor } from '@connectrpc/connect';
import { systemSleep } from '../../base/clock';
import { LongWork, type LongWorkOptions } from '../../base/longWork';
import { atOnce, nextTurn } from '../../base/slices';
import { exhausted } from '../errors';
import { MAX_SMALL_BYTES } from '../store/textSizes';
import { FairBudget, type FairCaller } from './fairBudget';
import { idleCollector } from './idleCollector';

/** Two, so that one can run while the other waits for the database. */
const MAX_LARGE = 2;
const MAX_WAIT_MS = 60_000;
/** Twice the maximum average time by which turns delay other calls. */
const REST_DIVISOR_MS = 2;
/** Reached after a turn of 63 ms. */
const MAX_REST_MS = 2_000;
const MAX_REST_IN_WORK_MS = 20;
/** Time after a small call during which more small calls are expected. */
const CONTENTION_MS = 500;

/** Runs the steps of some work, either all in one turn of the event loop or in slices. */
export type RunSteps = <T>(steps: Generator<unknown, T, void>) => T | Promise<T>;

/** Adds the size of documents that are read next. It can throw an error, which must pass through. */
type AddBytes = (bytes: number) => void;

/** The caller of a call, and a signal that aborts when the call ends. */
export interface LargeCall {
  readonly caller: FairCaller;
  readonly signal: AbortSignal;
}

/**
 * Runs long-running work on large documents, such as configs. Some steps of this work can't be
 * sliced: parsing a text, writing to the embedded store, and assembling a response. Therefore, the
 * work rests after each turn, and much longer after a long turn, so that few other calls are
 * delayed by such a step. Most of the rest is taken before the next large work starts. If there are
 * no other calls, there is no rest.
 */
export class DocumentWork extends LongWork {
  private readonly slots = new FairBudget({
    ...{ capacity: MAX_LARGE, maxWaitMs: MAX_WAIT_MS },
    onUnused: idleCollector.schedule,
  });
  private restEnd = 0;
  private lastSmallCall = Number.NEGATIVE_INFINITY;
  private readonly largeCalls = new WeakSet<AbortSignal>();

  /** Records the small calls for which large work must leave time. */
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
   * Runs work with data that uses a lot of memory, such as the objects of a large JSON text. At
   * most two run concurrently, for different callers. The work starts in a separate turn. It must
   * not call this method, which would wait for itself.
   * @throws the error of the work; ResourceExhausted if other work takes too long; the signal's
   *   reason if it is aborted before the work starts
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
      // Waits until the turn that released the slot has been counted.
      await nextTurn();
      await systemSleep(Math.max(0, this.restEnd - performance.now()), signal);
      await this.waitForTurn(signal);
      return await work((steps) => this.run(steps, signal));
    } finally {
      slot.release();
    }
  }

  /**
   * Adds the rest for a turn, and returns the part of it that the work must take while it is in
   * progress.
   */
  private addRest(turnMs: number): number {
    const now = performance.now();
    if (now - this.lastSmallCall > CONTENTION_MS) return 0;
    const restMs = computeRestMs(turnMs);
    this.restEnd = Math.min(Math.max(this.restEnd, now) + restMs, now + MAX_REST_MS);
    return Math.min(restMs, MAX_REST_IN_WORK_MS);
  }
}

/**
 * Returns the time to rest after a turn. A call that arrives during a turn waits for half of the
 * turn on average, and more calls arrive during longer turns. If the rest is proportional to the
 * square of the turn's duration, longer turns don't increase the average wait.
 */
function computeRestMs(turnMs: number): number {
  return turnMs ** 2 / REST_DIVISOR_MS;
}
