import { Code } from '@connectrpc/connect';
import { isSqlite } from '../store/store';
import { newId } from '../store/identifiers';
import { insertTrainingLines } from '../store/training/trainingLogs';
import {
  beatTrainingJobs,
  takeTrainingJob,
  requeueAbandonedJobs,
} from '../store/training/trainingRuns';
import { TRAINING_STATUS } from '../store/training/trainingSchema';
import {
  CANCELED_LINE,
  failedEnd,
  TrainingRun,
  type TrainingRunOptions,
  TrainingStoppedError,
} from './trainingRun';
import type { TrainingLine } from './trainingRunner';

/**
 * Maximum number of attempts. It prevents a training job that crashes its service from doing so
 * repeatedly.
 */
const MAX_ATTEMPTS = 3;
const ENDS_SERVICES =
  'The service exited each time it ran this job. Submit it again with a smaller dataset, or ask ' +
  'the operator of the service.';

/** Limits of training jobs. Tests use shorter intervals. */
export interface TrainingLimits {
  /** Maximum number of concurrent jobs. */
  readonly jobs: number;
  /**
   * Interval between the service's heartbeats. With each heartbeat, the service also checks for
   * requests to stop its jobs.
   */
  readonly beatMs: number;
  /** Seconds without a heartbeat after which a service's jobs are reclaimed. */
  readonly silentSeconds: number;
}

/**
 * The default time without a heartbeat is ten intervals because a busy service can miss some
 * heartbeats.
 */
const DEFAULT_LIMITS: TrainingLimits = { jobs: 1, beatMs: 3000, silentSeconds: 30 };

export interface TrainingQueueOptions extends Omit<TrainingRunOptions, 'runner' | 'closing'> {
  readonly limits?: Partial<TrainingLimits> | undefined;
}

/**
 * Runs jobs in order of submission. If a service is killed, its jobs are restarted when it runs
 * again, or by another service that shares the database.
 */
export class TrainingQueue {
  private readonly runner = newId();
  private readonly closing = new AbortController();
  private readonly running = new Map<string, TrainingRun>();
  private readonly isShared: boolean;
  private readonly limits: TrainingLimits;
  private polling: Promise<void> = Promise.resolve();
  private hasMissed = false;
  /** True if this service can have a job that isn't running. */
  private hasLost = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TrainingQueueOptions) {
    this.isShared = !isSqlite(options.store);
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /** Reclaims an earlier process's jobs, and starts running jobs. */
  async start(): Promise<void> {
    await this.requeueAbandoned();
    this.poll();
    this.scheduleBeat();
  }

  /** Number of jobs that are running in this process, and their maximum. */
  get load(): { busy: number; total: number } {
    return { busy: this.running.size, total: this.limits.jobs };
  }

  /** True if a job is running in this process. */
  get isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Must be called when a job has been submitted. */
  submitted(): void {
    this.poll();
  }

  /** Must be called when a user has canceled a job. */
  canceled(id: string): void {
    const stop = (): void => {
      this.running.get(id)?.stop(new TrainingStoppedError('canceled'));
    };
    stop();
    // A job that is being claimed isn't running until the claim is complete.
    this.polling = this.polling.then(stop);
  }

  /**
   * Stops running jobs, which continue when a service is running again. Can be called more than
   * once.
   */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    for (const run of this.running.values()) {
      run.stop(new TrainingStoppedError('closing'));
    }
    this.closing.abort(new TrainingStoppedError('closing'));
    await this.polling;
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /**
   * Polls for jobs. Only one poll runs at a time; requests that arrive during a poll are handled by
   * the next poll.
   */
  private poll(): void {
    this.polling = this.polling.then(() => this.fill());
  }

  private async fill(): Promise<void> {
    const { store, now, logger } = this.options;
    try {
      while (this.running.size < this.limits.jobs && !this.closing.signal.aborted) {
        const job = await takeTrainingJob(store, this.runner, now());
        if (job === undefined) break;
        this.begin(new TrainingRun(this.runOptions(), job), job.id);
      }
      this.hasMissed = false;
    } catch (error) {
      this.hasMissed = true;
      // The job can have been claimed, although the response was lost.
      this.hasLost = true;
      this.scheduleBeat();
      logger.warn('training jobs could not be listed', { error: String(error) });
    }
  }

  private begin(run: TrainingRun, id: string): void {
    this.running.set(id, run);
    this.scheduleBeat();
    // The run was created while the service was being stopped.
    if (this.closing.signal.aborted) run.stop(new TrainingStoppedError('closing'));
    void run.done.then(() => {
      // This service can have lost the job and taken it again.
      if (this.running.get(id) === run) this.running.delete(id);
      this.hasLost ||= !run.isEndStored;
      this.scheduleBeat();
      this.poll();
    });
  }

  /** Schedules the next heartbeat, if there is anything to do. An idle service doesn't wake up. */
  private scheduleBeat(): void {
    const isNeeded = this.isShared || this.isRunning || this.hasLost || this.hasMissed;
    if (!isNeeded || this.closing.signal.aborted) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.beat();
    }, this.limits.beatMs).unref();
  }

  private beat(): void {
    this.polling = this.polling
      .then(() => this.tick())
      .catch((error: unknown) => {
        this.options.logger.warn('training jobs could not be updated', {
          error: String(error),
        });
      })
      .finally(() => {
        this.scheduleBeat();
      });
  }

  private async tick(): Promise<void> {
    if (this.closing.signal.aborted) return;
    if (this.running.size > 0) await this.renewLeases();
    const { hasLost, hasMissed, isShared } = this;
    if (isShared || hasLost) await this.requeueAbandoned();
    if (isShared || hasLost || hasMissed) await this.fill();
  }

  /**
   * Stops jobs that were canceled, deleted with their organization, or reclaimed by another
   * service.
   */
  private async renewLeases(): Promise<void> {
    const before = [...this.running];
    const own = await beatTrainingJobs(this.options.store, this.runner);
    const statuses = new Map(own.map(({ id, status }) => [id, status]));
    for (const [id, run] of before) {
      const status = statuses.get(id);
      if (status !== TRAINING_STATUS.inProgress) {
        run.stop(new TrainingStoppedError(status === undefined ? 'lost' : 'canceled'));
      }
    }
  }

  private async requeueAbandoned(): Promise<void> {
    const { store, now, logger } = this.options;
    const { silentSeconds } = this.limits;
    const taken = await store.transaction().execute(async (transaction) => {
      const ended = await requeueAbandonedJobs(transaction, {
        runner: this.runner,
        running: [...this.running.keys()],
        silentSeconds,
        maxAttempts: MAX_ATTEMPTS,
        at: now(),
        failure: failedEnd({ code: Code.Aborted, message: ENDS_SERVICES }),
      });
      const insertLines = (ids: readonly string[], line: TrainingLine) =>
        Promise.all(
          ids.map((id) => insertTrainingLines(transaction, id, [{ ...line, logged_at: now() }])),
        );
      await insertLines(ended.failed, { level: 'error', message: ENDS_SERVICES });
      await insertLines(ended.canceled, CANCELED_LINE);
      return ended;
    });
    this.hasLost = false;
    const again = taken.again.length;
    if (again > 0) {
      logger.info('training jobs that no service is running will start over', { jobs: again });
    }
  }

  private runOptions(): TrainingRunOptions {
    return { ...this.options, runner: this.runner, closing: this.closing.signal };
  }
}
