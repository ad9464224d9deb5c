import { Disposable, type DisposableLike, toDisposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { isCanceled } from '../api/errors';
import { isUnderWay, type TrainingJob } from '../model/trainingJob';
import type { Sleep } from '../ports';
import { LookPace } from './lookPace';

interface JobWatchOptions {
  /** Asks the service for the jobs. Throws `FleetError`. */
  readonly read: (signal: AbortSignal) => Promise<readonly TrainingJob[]>;
  readonly sleep: Sleep;
}

/** A look at the jobs that is under way. */
interface Looking {
  readonly jobs: Promise<readonly TrainingJob[]>;
  readonly ending: AbortController;
}

/**
 * The training jobs of one organization, looked at again and again while somebody holds them: often while a
 * job is under way, seldom otherwise, and one look at a time.
 */
export class JobWatch extends Disposable {
  private readonly looked = this.register(new Emitter<readonly TrainingJob[]>());
  /** The jobs were read; they may be the same as before. */
  readonly onDidLook = this.looked.event;
  private readonly failed = this.register(new Emitter<unknown>());
  /** A look by itself has failed; there are more to come. */
  readonly onDidFail = this.failed.event;
  private readonly pace = new LookPace();
  private readonly holders = new Set<object>();
  private running: AbortController | undefined;
  private waiting = new AbortController();
  private looking: Looking | undefined;
  /** How many wait for the look that is under way without holding the jobs. */
  private askers = 0;
  private known: string | undefined;

  constructor(private readonly options: JobWatchOptions) {
    super();
    this.register(toDisposable(() => this.stop()));
    this.register(toDisposable(() => this.breakOff()));
  }

  /** Looks at the jobs until the result is disposed of, and at once. */
  hold(): DisposableLike {
    const holder = {};
    this.holders.add(holder);
    if (!this.running) void this.run();
    return toDisposable(() => {
      this.holders.delete(holder);
      if (this.holders.size === 0) this.stop();
    });
  }

  /** Something has happened, or is about to: looks soon and often. */
  hasten(): void {
    this.pace.hasten();
    this.waiting.abort();
  }

  /** More is likely to come: looks often from the next look on, and no sooner than it would have. */
  quicken(): void {
    this.pace.hasten();
  }

  /** Looks now, or joins the look that is under way. Throws `FleetError`. */
  async look(): Promise<readonly TrainingJob[]> {
    this.askers += 1;
    try {
      return await this.join();
    } finally {
      this.askers -= 1;
    }
  }

  private join(): Promise<readonly TrainingJob[]> {
    this.looking ??= this.begin();
    return this.looking.jobs;
  }

  private begin(): Looking {
    const ending = new AbortController();
    const jobs = this.lookOnce(ending.signal).finally(() => {
      if (this.looking?.ending === ending) this.looking = undefined;
    });
    return { jobs, ending };
  }

  private stop(): void {
    this.running?.abort();
    this.running = undefined;
    this.waiting.abort();
    if (this.askers === 0) this.breakOff();
  }

  /** Nobody wants to know any more what the look under way comes to. */
  private breakOff(): void {
    this.looking?.ending.abort();
    this.looking = undefined;
  }

  private async run(): Promise<void> {
    const running = new AbortController();
    this.running = running;
    const { signal } = running;
    let pause: number;
    do pause = await this.lookAndTell(this.known, signal);
    while (await this.rest(pause, signal));
  }

  /** @returns whether to go on */
  private async rest(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    this.waiting = new AbortController();
    const either = AbortSignal.any([signal, this.waiting.signal]);
    await this.options.sleep(milliseconds, either).catch(() => undefined);
    return !signal.aborted;
  }

  /** @returns how long to rest after it, in milliseconds */
  private async lookAndTell(before: string | undefined, signal: AbortSignal): Promise<number> {
    try {
      const jobs = await this.join();
      const hasChanged = before !== undefined && this.known !== before;
      return this.pace.after({ isUnderWay: jobs.some(isUnderWay), hasChanged });
    } catch (error) {
      if (signal.aborted) return 0;
      if (!isCanceled(error)) this.failed.fire(error);
      return this.pace.afterFailure();
    }
  }

  private async lookOnce(signal: AbortSignal): Promise<readonly TrainingJob[]> {
    const jobs = await this.options.read(signal);
    signal.throwIfAborted();
    this.known = JSON.stringify(jobs.map(({ id, status, modifiedAt }) => [id, status, modifiedAt]));
    this.looked.fire(jobs);
    return jobs;
  }
}
