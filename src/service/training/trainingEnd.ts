import { Code, ConnectError } from '@connectrpc/connect';
import { toStoreError } from '../store/storeErrors';
import { TRAINING_STATUS, type TrainingJobRow } from '../store/training/trainingSchema';
import { TrainingFailure, type TrainingLine } from './trainingRunner';

/** Last log line of a canceled job. */
export const CANCELED_LINE: TrainingLine = { level: 'info', message: 'Canceled.' };

/** Reason why a training job is stopped early. */
export type StopReason =
  /** A user canceled the job. */
  | 'canceled'
  /** The service is stopping; the job continues when a service runs again. */
  | 'closing'
  /** The job was deleted, or another service has reclaimed it. */
  | 'lost';

/** Thrown to stop a training job. */
export class TrainingStopped extends Error {
  override readonly name = 'TrainingStopped';

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
export function toFailure(error: unknown): Failure {
  if (error instanceof TrainingFailure) {
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
 * Maximum length of a message. It is limited because lists contain the messages of all failed jobs.
 */
const MAX_CHARS = 4000;

/** Returns the stored columns of a failed job. */
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
