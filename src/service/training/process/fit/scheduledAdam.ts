import { AdamOptimizer } from '@tensorflow/tfjs-core';

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const WARM_UP = 0.05;

/** Adam with warmup and cosine decay of the learning rate. */
export class ScheduledAdam extends AdamOptimizer {
  constructor(private readonly most: number) {
    super(most, BETA_1, BETA_2);
  }

  /** @param share completed fraction of the training, from 0 to 1. */
  advanceTo(share: number): void {
    const rise = Math.min(1, (share + 0.01) / WARM_UP);
    this.learningRate = Math.max(1e-6, this.most * rise * 0.5 * (1 + Math.cos(Math.PI * share)));
  }
}
