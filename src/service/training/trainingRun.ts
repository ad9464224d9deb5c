import { Code, ConnectError } from '@connectrpc/connect';
import type { Logger } from '../../base/logger';
import { ModelFramework } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import type { Micros } from '../store/micros';
import type { StoreAccess } from '../store/store';
import { insertTrainingLines } from '../store/training/trainingLogs';
import {
  endTrainingJob,
  requeueTrainingJob,
  type TrainingRunKey,
  type TrainingEnd,
} from '../store/training/trainingRuns';
import { TRAINING_STATUS, type TrainingJobRow } from '../store/training/trainingSchema';
import type { TrainingFolders } from './trainingFolders';
import { retryWhileUnavailable, TrainingLog } from './trainingLog';
import { TrainingError, type TrainingLine } from './trainingRunner';
import {
  prepareTraining,
  type StoredModel,
  type StoreModel,
  type TrainingWorkshop,
} from './prepareTraining';
import { toStoreError } from '../store/storeErrors';

/** Dependencies of training runs. */
export interface TrainingRunOptions extends TrainingWorkshop {
  readonly folders: TrainingFolders;
  readonly storeModel: StoreModel;
  readonly now: () => Micros;
  readonly logger: Logger;
  /** ID of this service among those that share the store. */
  readonly runner: string;
  /** Aborted when the service stops, which ends all waiting. */
  readonly closing: AbortSignal;
}

const AGAIN = 'The service that ran this job exited. The training starts over.';
const WAITS_LINE =
  "The storage of the fleet service doesn't respond. The job continues when it is available again.";
const LATER_LINE: TrainingLine = {
  level: 'info',
  message: 'The service is stopping. The training starts over when it runs again.',
};

/** One run of a job on this service, from start to end. */
export class TrainingRun {
  private readonly stopController = new AbortController();
  private readonly log: TrainingLog;
  private readonly key: TrainingRunKey;
  /** False if the run has ended, but this could not be stored. */
  isEndStored = true;
  readonly done: Promise<void>;

  constructor(
    private readonly options: TrainingRunOptions,
    private readonly job: TrainingJobRow,
  ) {
    const { store, now, logger, runner, closing } = options;
    this.key = { id: job.id, runner, attempts: job.attempts };
    this.log = new TrainingLog({ store, now, logger, jobId: job.id, signal: closing });
    this.done = this.run();
  }

  /** Stops the training job. Only the first reason takes effect. */
  stop(reason: TrainingStoppedError): void {
    this.stopController.abort(reason);
  }

  private async run(): Promise<void> {
    const { folders, logger } = this.options;
    const { id } = this.job;
    try {
      await this.train();
    } catch (error) {
      await this.end(error).catch((endError: unknown) => {
        // The job is in the same state as after a service crash, and will be reclaimed.
        this.isEndStored = false;
        logger.error('the end of a training could not be stored', { id, error: String(endError) });
      });
    }
    await folders.remove(id).catch((error: unknown) => {
      logger.warn('the folder of a training could not be removed', { id, error: String(error) });
    });
  }

  private async train(): Promise<void> {
    const { folders, storeModel, logger } = this.options;
    const { signal } = this.stopController;
    if (this.job.attempts > 1) await this.log.logMessage('info', AGAIN);
    const retryOptions = {
      signal,
      logger,
      waitsForRoom: false,
      onWait: () => this.log.logMessage('warn', WAITS_LINE),
    };
    // Each attempt writes a new folder, because the previous one can have written part of it.
    const { folder, train } = await retryWhileUnavailable(async () => {
      const made = await folders.make(this.job.id);
      const options = { signal, log: this.log.take };
      return { folder: made, train: await prepareTraining(this.options, this.job, made, options) };
    }, retryOptions);
    await train();
    await this.log.flush();
    await retryWhileUnavailable(
      () =>
        storeModel(this.job, folder.outputFolder, {
          signal,
          stored: (access, model) => this.complete(access, model),
        }),
      retryOptions,
    );
  }

  /**
   * @throws TrainingStoppedError if the job has already ended, was requested to stop, or was reclaimed
   *   by another service.
   */
  private async complete(
    access: StoreAccess,
    { packageId, framework }: StoredModel,
  ): Promise<void> {
    const { now } = this.options;
    const { id, model_version } = this.job;
    const end = {
      status: TRAINING_STATUS.completed,
      package_id: packageId,
      model_framework: framework,
    };
    if (!(await endTrainingJob(access, this.key, end, now()))) {
      throw new TrainingStoppedError('lost');
    }
    const message = `The model is stored as version ${model_version} of ${packageId}.`;
    await insertTrainingLines(access, id, [
      ...otherFramework(this.job, framework).map((line) => ({ ...line, logged_at: now() })),
      { logged_at: now(), level: 'info', message },
    ]);
  }

  private async end(error: unknown): Promise<void> {
    const stopped: unknown = this.stopController.signal.aborted
      ? this.stopController.signal.reason
      : error;
    const reason = stopped instanceof TrainingStoppedError ? stopped.reason : undefined;
    if (reason === 'closing') {
      await this.putBack();
    } else if (reason !== undefined) {
      await this.canceled();
    } else {
      await this.failed(error);
    }
  }

  private async failed(error: unknown): Promise<void> {
    const { logger } = this.options;
    const failure = toFailure(error);
    if (failure.isInternal) {
      logger.error('a training failed', { id: this.job.id, error: String(error) });
    }
    const line = { level: 'error', message: failure.message } as const;
    if (!(await this.finish(failedEnd(failure), line))) await this.canceled();
  }

  /** Ends the job if a stop was requested. Has no effect if the job was reclaimed or deleted. */
  private async canceled(): Promise<void> {
    await this.finish({ status: TRAINING_STATUS.canceled }, CANCELED_LINE);
  }

  /** Tries only once. If the job can't be requeued now, the next start reclaims it. */
  private async putBack(): Promise<void> {
    const { store, now } = this.options;
    await this.log.flush();
    await store.transaction().execute(async (transaction) => {
      const end = { status: TRAINING_STATUS.canceled };
      const isCanceled = await endTrainingJob(transaction, this.key, end, now());
      const line = isCanceled ? CANCELED_LINE : LATER_LINE;
      if (isCanceled || (await requeueTrainingJob(transaction, this.key, now()))) {
        await insertTrainingLines(transaction, this.job.id, [{ ...line, logged_at: now() }]);
      }
    });
  }

  /**
   * Ends the job and adds a last line to its log. Has no effect if the job can't have this outcome
   * or was reclaimed.
   */
  private async finish(end: TrainingEnd, line: TrainingLine): Promise<boolean> {
    const { store, now, logger, closing } = this.options;
    await this.log.flush();
    const write = (): Promise<boolean> =>
      store.transaction().execute(async (transaction) => {
        const at = now();
        const hasEnded = await endTrainingJob(transaction, this.key, end, at);
        if (hasEnded) {
          await insertTrainingLines(transaction, this.job.id, [{ ...line, logged_at: at }]);
        }
        return hasEnded;
      });
    return retryWhileUnavailable(write, { signal: closing, logger, waitsForRoom: true });
  }
}

/**
 * Returns a log line if the model has a different framework than requested. This isn't a failure
 * because clients of the public service request a framework by default.
 */
function otherFramework(job: TrainingJobRow, made: number): TrainingLine[] {
  const requestedFramework = job.model_framework;
  const isOther = job.script_id === null && requestedFramework !== 0 && requestedFramework !== made;
  const message = `${getFrameworkName(requestedFramework)} was requested, but the model is for ${getFrameworkName(made)}.`;
  return isOther ? [{ level: 'warn', message }] : [];
}

function getFrameworkName(framework: number): string {
  return ModelFramework[framework] ?? `framework ${String(framework)}`;
}

/** Last log line for a canceled job. */
export const CANCELED_LINE: TrainingLine = { level: 'info', message: 'Canceled.' };

/** Reason for stopping a training job early. */
export type StopReason =
  /** A user canceled the job. */
  | 'canceled'
  /** The service is stopping; the job continues when a service runs again. */
  | 'closing'
  /** The job was deleted, or another service has reclaimed it. */
  | 'lost';

/** Thrown to stop a training job. */
export class TrainingStoppedError extends Error {
  override readonly name = 'TrainingStoppedError';

  constructor(readonly reason: StopReason) {
    super(`the training was stopped: ${reason}`);
  }
}

/** A job's failure in wire format. */
export interface Failure {
  readonly code: Code;
  /** Message for the user who submitted the job. */
  readonly message: string;
  /** True for an internal error, which must be reported to the operator. */
  readonly isInternal: boolean;
}

/** Converts an error to a job's failure. */
function toFailure(error: unknown): Failure {
  if (error instanceof TrainingError) {
    return { code: Code.FailedPrecondition, message: error.message, isInternal: false };
  }
  const connectError = error instanceof ConnectError ? error : toStoreError(error);
  if (connectError !== undefined) {
    return { code: connectError.code, message: connectError.rawMessage, isInternal: false };
  }
  return {
    code: Code.Internal,
    message:
      "The fleet service couldn't continue the training job because of an internal error. Submit " +
      'the job again. If it fails again, the operator of the service can find the reason in its log.',
    isInternal: true,
  };
}

/**
 * Maximum length of a message. It is limited because lists contain the messages for all failed
 * jobs.
 */
const MAX_CHARS = 4000;

/** Returns the stored columns for a failed job. */
export function failedEnd({ code, message }: Pick<Failure, 'code' | 'message'>): {
  status: TrainingJobRow['status'];
  error_code: number;
  error_message: string;
} {
  return {
    status: TRAINING_STATUS.failed,
    error_code: code,
    error_message: message.replaceAll('\0', '\u{FFFD}').slice(0, MAX_CHARS),
  };
}
