import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { TrainingLine } from '../trainingRunner';
import type { FitResult } from './fit';

/** Reports a training job's progress. The job waits until the report is sent. */
export type Report = (message: string, level?: TrainingLine['level']) => Promise<void>;

/**
 * Thrown if a training job can't produce a model. The message is a sentence for the user who
 * submitted the job.
 */
export class TrainingRejectedError extends Error {
  override readonly name = 'TrainingRejectedError';
}

/** Formats a line as Keras does: `Epoch 3/40 - loss: 0.4121 - val_accuracy: 0.8750`. */
export function epochLine(
  epoch: number,
  epochs: number,
  figures: Readonly<Record<string, number>>,
): string {
  const parts = Object.entries(figures).map(([name, value]) => `${name}: ${value.toFixed(4)}`);
  return [`Epoch ${String(epoch)}/${String(epochs)}`, ...parts].join(' - ');
}

/** Result of a training job. */
export interface Trained {
  readonly model: LayersModel;
  /** Side length of the model's input images, in pixels. */
  readonly size: number;
  /** Number of planned epochs. */
  readonly epochs: number;
  readonly fit: FitResult;
  /** Metrics on the held-out images, as in `metrics.json`. */
  readonly figures: object;
  /** Summary of the metrics in one sentence. */
  readonly summary: string;
}
