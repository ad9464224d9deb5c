import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { FitResult } from './fit/fit';

/** What came of a training. */
export interface Trained {
  readonly model: LayersModel;
  /** The sides of the pictures that it takes, in pixels. */
  readonly size: number;
  /** The number of epochs that were planned. */
  readonly epochs: number;
  readonly fit: FitResult;
  /** What was measured on the held-out images, for `metrics.json`. */
  readonly figures: object;
  /** The same in one sentence. */
  readonly summary: string;
}
