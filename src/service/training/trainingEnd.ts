import { Code, ConnectError } from '@connectrpc/connect';
import { storeFaultOf } from '../store/storeErrors';
import { TRAINING_STATUS, type TrainingJobRow } from '../store/training/trainingSchema';
import { TrainingFailure, type TrainingLine } from './trainingRunner';

/** The last line of a job that was canceled. */
export const CANCELED_LINE: TrainingLine = { level: 'info', message: 'Canceled.' };

/** Why a training is stopped before it has come to anything. */
export type StopReason =
  /** Somebody asked for it. */
  | 'canceled'
  /** The service stops; the job goes on when one runs again. */
  | 'closing'
  /** The job is gone, or another service has taken it up. */
  | 'lost';

/** Stops a training. */
export class TrainingStopped extends Error {
  override readonly name = 'TrainingStopped';

  constructor(readonly reason: StopReason) {
    super(`the training was stopped: ${reason}`);
  }
}

/** The wire's form of why a job has failed. */
export interface Failure {
  readonly code: Code;
  /** For the person who submitted it. */
  readonly message: string;
  /** Whether it is the service's own fault, which its operator wants to know of. */
  readonly isOwnFault: boolean;
}

/** Why a job has failed, by what was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof TrainingFailure) {
    return { code: Code.FailedPrecondition, message: error.message, isOwnFault: false };
  }
  const refusal = error instanceof ConnectError ? error : storeFaultOf(error);
  if (refusal !== undefined) {
    return { code: refusal.code, message: refusal.rawMessage, isOwnFault: false };
  }
  return {
    code: Code.Internal,
    message:
      "The fleet service couldn't continue the training job because of an internal error. Submit " +
      'the job again. If it fails again, the operator of the service can find the reason in its log.',
    isOwnFault: true,
  };
}

/** Lists tell the reasons of all jobs that have failed. */
const MOST_CHARACTERS = 4000;

/** What a failed job has in the store. */
export function failedEnd({ code, message }: Pick<Failure, 'code' | 'message'>): {
  status: TrainingJobRow['status'];
  error_code: number;
  error_message: string;
} {
  return {
    status: TRAINING_STATUS.failed,
    error_code: code,
    error_message: message.replaceAll('\0', '\u{FFFD}').slice(0, MOST_CHARACTERS),
  };
}
