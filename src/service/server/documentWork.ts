import type { Interceptor } from '@connectrpc/connect';
import { systemSleep } from '../../base/clock';
import { LongWork, type LongWorkOptions } from '../../base/longWork';
import { atOnce, yieldToEventLoop } from '../../base/slices';
import { BUSY_RETRY_MS, exhausted } from '../errors';
import { MAX_SMALL_BYTES } from '../store/store';
import { FairBudget, type FairCaller } from './fairBudget';
import { idleCollector } from './idleCollector';

/**
 * Maximum number of concurrent large calls. With two, one can run while the other waits for the
 * database.
 */
const MAX_LARGE = 2;
const MAX_WAIT_MS = 60_000;
/** Twice the maximum average time by which ticks delay other calls. */
const REST_DIVISOR_MS = 2;
/** Maximum rest, which is reached after a tick of 63 ms. */
const MAX_REST_MS = 2_000;
const MAX_REST_IN_WORK_MS = 20;
/** Time in milliseconds after a small call during which more small calls are expected. */
const CONTENTION_MS = 500;

/** Runs a task's steps, either all in one tick of the event loop or in slices. */
export type RunSteps = <T>(steps: Generator<unknown, T, void>) => T | Promise<T>;

/**
 * Adds the size of the documents that are about to be read. Can throw an error, which must be
 * passed on.
 */
type AddBytes = (bytes: number) => void;

/** A large call's caller, and a signal that aborts when the call ends. */
export interface LargeCall {
  readonly caller: FairCaller;
  readonly signal: AbortSignal;
}

/**
 * Runs long-running work on large documents, such as configs. Some steps of this work can't be
 * sliced: parsing text, writing to the embedded store, and assembling a response. To limit the
 * number of other calls that these steps delay, the work rests after each tick, and much longer
 * after a long tick. Most of the rest is taken before the next large work starts. If there are no
 * other calls, the work doesn't rest.
 */
export class DocumentWork extends LongWork {
  private readonly slots = new FairBudget({
    capacity: MAX_LARGE,
    maxWaitMs: MAX_WAIT_MS,
    onUnused: idleCollector.schedule,
  });
  private restEnd = 0;
  private lastSmallCall = Number.NEGATIVE_INFINITY;
  private readonly largeCalls = new WeakSet<AbortSignal>();

  /** Records small calls. Large work must leave time for them. */
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

  /** Number of large calls that wait for others. */
  get waiting(): number {
    return this.slots.load.waiting;
  }

  /** Runs work on small documents immediately. Runs work on large documents like `runLarge`. */
  runSized<T>(isLarge: boolean, call: LargeCall, work: (run: RunSteps) => Promise<T>): Promise<T> {
    return isLarge ? this.runLarge(call, work) : work(atOnce);
  }

  /**
   * Runs work that finds its documents one at a time. The work starts immediately. If the total
   * size of the documents becomes large, the work is stopped and run again as in `runLarge`. The
   * work must have no side effects until it has added the size of its last document.
   */
  async runMeasured<T>(call: LargeCall, work: (addBytes: AddBytes) => Promise<T>): Promise<T> {
    let total = 0;
    const tooLarge = new Error('the documents are too large to process together');
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
   * Runs work with data that uses a lot of memory, such as the objects in a large JSON text. At
   * most two such tasks run concurrently, for different callers. The work starts in a separate
   * tick. It must not call this method, because it would wait for itself.
   * @throws the error from the work; ResourceExhausted if other work takes too long; the signal's
   *   reason if it aborts before the work starts
   */
  async runLarge<T>(
    { caller, signal }: LargeCall,
    work: (run: RunSteps) => Promise<T>,
  ): Promise<T> {
    this.largeCalls.add(signal);
    const slot = await this.slots.reserve(1, caller, signal);
    if (slot === undefined) {
      throw exhausted(
        'the service is busy with other large documents: try again in a minute',
        BUSY_RETRY_MS,
      );
    }
    try {
      // Waits until the tick that released the slot has been counted.
      await yieldToEventLoop();
      await systemSleep(Math.max(0, this.restEnd - performance.now()), signal);
      await this.waitForTurn(signal);
      return await work((steps) => this.run(steps, signal));
    } finally {
      slot.release();
    }
  }

  /**
   * Adds the rest for a tick. Returns the part of the rest that the work must take while it is in
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
 * Returns the time to rest after a tick. A call that arrives during a tick waits for half of the
 * tick on average, and more calls arrive during longer ticks. If the rest is proportional to the
 * square of the tick's duration, longer ticks don't increase the average wait.
 */
function computeRestMs(turnMs: number): number {
  return turnMs ** 2 / REST_DIVISOR_MS;
}
