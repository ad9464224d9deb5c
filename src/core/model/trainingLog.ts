import type { GetTrainingJobLogsResponse } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { toDate } from './fromWire';

/** Log line of a training job. */
export interface TrainingLogLine {
  /** Level as the service wrote it, such as `info`. */
  readonly level: string;
  readonly at: Date | undefined;
  readonly message: string;
}

export interface TrainingLogPage {
  readonly lines: readonly TrainingLogLine[];
  /** Token for the next page; empty if there are no more lines for now. */
  readonly next: string;
}

export function trainingLogPageFromWire(wire: GetTrainingJobLogsResponse): TrainingLogPage {
  return {
    lines: wire.logs.map(({ level, time, message }) => ({ level, at: toDate(time), message })),
    next: wire.nextPageToken,
  };
}
