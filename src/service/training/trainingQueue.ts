import { Code } from '@connectrpc/connect';
import { isSqlite } from '../store/isSqlite';
import { newId } from '../store/identifiers';
import { insertTrainingLines } from '../store/training/trainingLogs';
import { beatTrainingJobs, takeTrainingJob, takeUpAbandoned } from '../store/training/trainingRuns';
import { TRAINING_STATUS } from '../store/training/trainingSchema';
import { CANCELED_LINE, failedEnd, TrainingStopped } from './trainingEnd';
import type { TrainingLine } from './trainingRunner';
import { TrainingRun, type TrainingRunOptions } from './trainingRun';

/** A training that ends its service every time would do so for ever. */
const MOST_ATTEMPTS = 3;
const ENDS_SERVICES =
  'The service exited each time it ran this job. Submit it again with a smaller dataset, or ask ' +
  'the operator of the service.';

/** What trainings may take. Tests are more impatient. */
export interface TrainingLimits {
  /** How many jobs run at a time. */
  readonly jobs: number;
  /** How often the service tells that it lives, and looks what others have asked of its jobs. */
  readonly beatMs: number;
  /** After how long without a word the jobs of a service are taken from it. */
  readonly silentSeconds: number;
}

/** Ten beats: a service that is busy is not gone. */
const DEFAULT_LIMITS: TrainingLimits = { jobs: 1, beatMs: 3000, silentSeconds: 30 };

export interface TrainingQueueOptions extends Omit<TrainingRunOptions, 'runner' | 'closing'> {
  readonly limits?: Partial<TrainingLimits> | undefined;
}

/**
 * Runs jobs in the order in which they were submitted. A job whose service was killed is started over by
 * the next one, or by another that shares the database.
 */
export class TrainingQueue {
  readonly #runner = newId();
  readonly #closing = new AbortController();
  readonly #running = new Map<string, TrainingRun>();
  readonly #isShared: boolean;
  readonly #limits: TrainingLimits;
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #hasMissed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TrainingQueueOptions) {
    this.#isShared = !isSqlite(options.store);
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /** Takes up what an earlier process left, and runs jobs from now on. */
  async start(): Promise<void> {
    await this.#takeUp();
    this.#look();
    this.#timer = setInterval(() => {
      this.#beat();
    }, this.#limits.beatMs).unref();
  }

  /** Whether a job runs here now. */
  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Hears that a job waits. */
  submitted(): void {
    this.#look();
  }

  /** Hears that somebody asked a job to stop. */
  canceled(id: string): void {
    const stop = (): void => {
      this.#running.get(id)?.stop(new TrainingStopped('canceled'));
    };
    stop();
    // It may be taken just now, and run only when that is done.
    this.#looking = this.#looking.then(stop);
  }

  /** Stops what runs; it goes on when a service runs again. Safe to call twice. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const run of this.#running.values()) {
      run.stop(new TrainingStopped('closing'));
    }
    this.#closing.abort(new TrainingStopped('closing'));
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** One look at a time; what is asked during one is done by the next. */
  #look(): void {
    this.#looking = this.#looking.then(() => this.#fill());
  }

  async #fill(): Promise<void> {
    const { store, now, logger } = this.options;
    try {
      while (this.#running.size < this.#limits.jobs && !this.#closing.signal.aborted) {
        const job = await takeTrainingJob(store, this.#runner, now());
        if (job === undefined) {
          break;
        }
        this.#begin(new TrainingRun(this.#runOptions(), job), job.id);
      }
      this.#hasMissed = false;
    } catch (error) {
      this.#hasMissed = true;
      logger.warn('training jobs could not be listed', { error: String(error) });
    }
  }

  #begin(run: TrainingRun, id: string): void {
    this.#running.set(id, run);
    // It came to be while the service was told to stop.
    if (this.#closing.signal.aborted) {
      run.stop(new TrainingStopped('closing'));
    }
    void run.done.then(() => {
      this.#running.delete(id);
      this.#look();
    });
  }

  #beat(): void {
    if (this.#isLooking) {
      return;
    }
    this.#isLooking = true;
    this.#looking = this.#looking
      .then(() => this.#tick())
      .catch((error: unknown) => {
        this.options.logger.warn('training jobs could not be updated', {
          error: String(error),
        });
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #tick(): Promise<void> {
    if (this.#closing.signal.aborted) {
      return;
    }
    if (this.#running.size > 0) {
      await this.#lookAfter();
    }
    if (this.#isShared) {
      await this.#takeUp();
    }
    if (this.#isShared || this.#hasMissed) {
      await this.#fill();
    }
  }

  /** Stops jobs that others have canceled, deleted with their organization, or taken up. */
  async #lookAfter(): Promise<void> {
    const before = [...this.#running];
    const own = await beatTrainingJobs(this.options.store, this.#runner);
    const statuses = new Map(own.map(({ id, status }) => [id, status]));
    for (const [id, run] of before) {
      const status = statuses.get(id);
      if (status !== TRAINING_STATUS.inProgress) {
        run.stop(new TrainingStopped(status === undefined ? 'lost' : 'canceled'));
      }
    }
  }

  async #takeUp(): Promise<void> {
    const { store, now, logger } = this.options;
    const { silentSeconds } = this.#limits;
    const taken = await store.transaction().execute(async (transaction) => {
      const ended = await takeUpAbandoned(transaction, {
        ...{ runner: this.#runner, silentSeconds, mostAttempts: MOST_ATTEMPTS, at: now() },
        failure: failedEnd({ code: Code.Aborted, message: ENDS_SERVICES }),
      });
      const say = (ids: readonly string[], line: TrainingLine) =>
        Promise.all(
          ids.map((id) => insertTrainingLines(transaction, id, [{ ...line, logged_at: now() }])),
        );
      await say(ended.failed, { level: 'error', message: ENDS_SERVICES });
      await say(ended.canceled, CANCELED_LINE);
      return ended;
    });
    const again = taken.again.length;
    if (again > 0) {
      logger.info('training jobs of a service that exited will start over', { jobs: again });
    }
  }

  #runOptions(): TrainingRunOptions {
    return { ...this.options, runner: this.#runner, closing: this.#closing.signal };
  }
}
