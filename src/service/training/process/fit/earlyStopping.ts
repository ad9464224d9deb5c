/** An epoch and its loss on the validation images. */
interface EpochLoss {
  /** Counted from 1. */
  readonly epoch: number;
  readonly loss: number;
}

/** Stops a training only after at least so many epochs without progress. */
const MIN_PATIENCE = 8;
/** Of all epochs, so many may pass without progress: steps are long at first, and losses go up and down. */
const PATIENCE_SHARE = 0.2;
/** A loss counts as progress when it is lower by this share of the last one that did. */
const MIN_PROGRESS_SHARE = 0.01;
/** Losses this close to each other count as the same, also near zero. */
const MIN_PROGRESS = 5e-4;

/** Decides by the losses on validation images which epoch is the best, and when to stop. */
export class EarlyStopping {
  /** The number of epochs without progress after which a training stops. */
  readonly patience: number;
  private lowest: EpochLoss | undefined;
  private progress: EpochLoss | undefined;
  private last = 0;

  /** @param epochs the number of epochs of the whole training */
  constructor(epochs: number) {
    this.patience = Math.max(MIN_PATIENCE, Math.round(epochs * PATIENCE_SHARE));
  }

  /** The epoch with the lowest loss; undefined while no epoch had a finite loss. */
  get best(): EpochLoss | undefined {
    return this.lowest;
  }

  /** Is true after as many epochs without progress as the patience allows. */
  get isOver(): boolean {
    return this.last - (this.progress?.epoch ?? 0) >= this.patience;
  }

  /** Takes the loss of the next epoch. @returns whether it is the lowest one */
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
