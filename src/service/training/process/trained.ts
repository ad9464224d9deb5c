import type { LayersModel } from '@tensorflow/tfjs-layers';

/** What came of a training. */
export interface Trained {
  readonly model: LayersModel;
  /** The sides of the pictures that it takes, in pixels. */
  readonly size: number;
  readonly epochs: number;
  readonly images: { readonly training: number; readonly heldOut: number };
  /** What was measured on the held-out images, for `metrics.json`. */
  readonly figures: object;
  /** The same in one sentence. */
  readonly summary: string;
}
