import { Disposable, type DisposableLike, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { isCanceled } from '../api/errors';
import { isInProgress, type TrainingJob } from '../model/trainingJob';
import type { Sleep } from '../ports';

interface JobWatchOptions {
  /** Reads the jobs from the service. Throws `FleetError`. */
  readonly read: (signal: AbortSignal) => Promise<readonly TrainingJob[]>;
  readonly sleep: Sleep;
}

/** Poll that is currently running. */
interface ActivePoll {
  readonly jobs: Promise<readonly TrainingJob[]>;
  readonly ending: AbortController;
}

/**
 * Polls one organization's training jobs while there is a subscriber. Polls frequently while a job
 * is running and rarely otherwise, and runs only one poll at a time.
 */
export class JobWatch extends Disposable {
  private readonly polled = this.register(new Emitter<readonly TrainingJob[]>());
  /** Fires when the jobs have been read, even if none have changed. */
  readonly onDidPoll = this.polled.event;
  private readonly failed = this.register(new Emitter<unknown>());
  /** Fires when an automatic poll has failed. Polling continues. */
  readonly onDidFail = this.failed.event;
  private readonly pace = new PollInterval();
  private readonly holders = new Set<object>();
  private running: AbortController | undefined;
  private waiting = new AbortController();
  private activePoll: ActivePoll | undefined;
  /** Number of callers without a subscription that are waiting for the current poll. */
  private callers = 0;
  private known: string | undefined;

  constructor(private readonly options: JobWatchOptions) {
    super();
    this.register(toDisposable(() => this.stop()));
    this.register(toDisposable(() => this.breakOff()));
  }

  /** Polls the jobs immediately and then periodically, until the returned object is disposed of. */
  startPolling(): DisposableLike {
    const holder = {};
    this.holders.add(holder);
    if (!this.running) void this.run();
    return toDisposable(() => {
      this.holders.delete(holder);
      if (this.holders.size === 0) this.stop();
    });
  }

  /** Polls soon and then frequently, because a job has changed or is about to change. */
  pollSoon(): void {
    this.pace.reset();
    this.waiting.abort();
  }

  /** Polls frequently after the next poll, but doesn't start the next poll earlier. */
  resetPollInterval(): void {
    this.pace.reset();
  }

  /** Starts a poll, or joins the current one. Throws `FleetError`. */
  async poll(): Promise<readonly TrainingJob[]> {
    this.callers += 1;
    try {
      return await this.join();
    } finally {
      this.callers -= 1;
    }
  }

  private join(): Promise<readonly TrainingJob[]> {
    this.activePoll ??= this.begin();
    return this.activePoll.jobs;
  }

  private begin(): ActivePoll {
    const ending = new AbortController();
    const jobs = this.pollOnce(ending.signal).finally(() => {
      if (this.activePoll?.ending === ending) this.activePoll = undefined;
    });
    return { jobs, ending };
  }

  private stop(): void {
    this.running?.abort();
    this.running = undefined;
    this.waiting.abort();
    if (this.callers === 0) this.breakOff();
  }

  /** Aborts the current poll, because its result is no longer needed. */
  private breakOff(): void {
    this.activePoll?.ending.abort();
    this.activePoll = undefined;
  }

  private async run(): Promise<void> {
    const running = new AbortController();
    this.running = running;
    const { signal } = running;
    let pause: number;
    do pause = await this.pollAndGetDelay(this.known, signal);
    while (await this.rest(pause, signal));
  }

  /** Waits before the next poll. @returns true to continue polling */
  private async rest(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    this.waiting = new AbortController();
    const either = AbortSignal.any([signal, this.waiting.signal]);
    await this.options.sleep(milliseconds, either).catch(() => undefined);
    return !signal.aborted;
  }

  /** @returns the delay in milliseconds before the next poll */
  private async pollAndGetDelay(before: string | undefined, signal: AbortSignal): Promise<number> {
    try {
      const jobs = await this.join();
      const hasChanged = before !== undefined && this.known !== before;
      return this.pace.after({ isInProgress: jobs.some(isInProgress), hasChanged });
    } catch (error) {
      if (signal.aborted) return 0;
      if (!isCanceled(error)) this.failed.fire(error);
      return this.pace.afterFailure();
    }
  }

  private async pollOnce(signal: AbortSignal): Promise<readonly TrainingJob[]> {
    const jobs = await this.options.read(signal);
    signal.throwIfAborted();
    this.known = JSON.stringify(jobs.map(({ id, status, modifiedAt }) => [id, status, modifiedAt]));
    this.polled.fire(jobs);
    return jobs;
  }
}

/** Minimum delay between two polls in milliseconds. */
const MIN_POLL_MS = 2_000;
const MAX_ACTIVE_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 30_000;
const GROWTH = 1.25;
const GROWTH_IDLE = 2;

/** Result of polling an organization's jobs. */
export interface PollResult {
  /** True if a job is waiting, running, or being canceled. */
  readonly isInProgress: boolean;
  /** True if a job has changed since the previous poll. */
  readonly hasChanged: boolean;
}

/** Adaptive poll interval, which grows while there is little activity. */
class PollInterval {
  private current = MIN_POLL_MS;

  /** Returns the delay in milliseconds after a successful poll. */
  after({ isInProgress: isActive, hasChanged }: PollResult): number {
    if (hasChanged) this.reset();
    else if (isActive) this.grow(GROWTH, MAX_ACTIVE_INTERVAL_MS);
    else this.grow(GROWTH_IDLE, MAX_INTERVAL_MS);
    return this.current;
  }

  /** Returns the delay in milliseconds after a failed poll. */
  afterFailure(): number {
    this.grow(GROWTH_IDLE, MAX_INTERVAL_MS);
    return this.current;
  }

  /** Shortens the interval after a change, because more changes are likely. */
  reset(): void {
    this.current = MIN_POLL_MS;
  }

  private grow(factor: number, longest: number): void {
    this.current = Math.min(this.current * factor, longest);
  }
}
