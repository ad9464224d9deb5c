/** An epoch and its loss on the validation images. */
interface EpochLoss {
  /** One-based number of the epoch. */
  readonly epoch: number;
  readonly loss: number;
}

/** Minimum number of epochs without progress before training stops. */
const MIN_PATIENCE = 8;
/**
 * Fraction of all epochs that can pass without progress. It is large because early steps are large
 * and losses fluctuate.
 */
const PATIENCE_SHARE = 0.2;
/**
 * Minimum decrease in loss that counts as progress, as a fraction of the last loss that counted as
 * progress.
 */
const MIN_PROGRESS_SHARE = 0.01;
/**
 * Minimum absolute decrease in loss, which prevents tiny changes near zero from counting as
 * progress.
 */
const MIN_PROGRESS = 5e-4;

/** Determines the best epoch and when to stop, based on the validation losses. */
export class EarlyStopping {
  /** Number of epochs without progress after which training stops. */
  readonly patience: number;
  private lowest: EpochLoss | undefined;
  private progress: EpochLoss | undefined;
  private last = 0;

  /** @param epochs total number of epochs */
  constructor(epochs: number) {
    this.patience = Math.max(MIN_PATIENCE, Math.round(epochs * PATIENCE_SHARE));
  }

  /** The epoch with the lowest loss; undefined until an epoch has a finite loss. */
  get best(): EpochLoss | undefined {
    return this.lowest;
  }

  /** True if the number of epochs without progress has reached the patience. */
  get isOver(): boolean {
    return this.last - (this.progress?.epoch ?? 0) >= this.patience;
  }

  /**
   * Adds the loss of the next epoch.
   * @returns true if this loss is the lowest so far
   */
  add(epoch: number, loss: number): boolean {
    this.last = epoch;
    if (!Number.isFinite(loss)) return false;
    const before = this.progress?.loss ?? Infinity;
    const step = Math.max(MIN_PROGRESS, MIN_PROGRESS_SHARE * before);
    if (before === Infinity || loss < before - step) this.progress = { epoch, loss };
    if (this.lowest && loss >= this.lowest.loss) return false;
    this.lowest = { epoch, loss };
    return true;
  }
}
