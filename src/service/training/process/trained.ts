import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { FitResult } from './fit/fit';

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
