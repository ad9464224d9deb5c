import {
  AdamOptimizer,
  dispose,
  type Scalar,
  type Tensor,
  tensor4d,
  tidy,
  type Variable,
} from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { Random } from '../../../simulate/random';
import { shuffle } from './split';
import { CHANNELS } from './resize';
import { type Change, NO_CHANGE, randomChange, writeChanged } from './augment';

const BATCH = 16;

/** An example whose image is ready to be used as input to a network. */
export interface Shown {
  /** Red, green, and blue bytes of the square image. */
  readonly square: Uint8Array;
}

/** A network's outputs for a batch. The second output exists only if the network has two. */
export type Outputs = [Tensor, Tensor];

export interface FitOptions<E extends Shown> {
  readonly network: LayersModel;
  /** Side length of the squares in pixels. */
  readonly size: number;
  readonly epochs: number;
  /** Maximum learning rate. */
  readonly rate: number;
  /**
   * Returns the loss for the outputs from a batch whose images were modified by the given changes.
   */
  readonly loss: (outputs: Outputs, batch: readonly E[], changes: readonly Change[]) => Scalar;
  /**
   * Examples for early stopping and for selecting the weights; if empty, all epochs run and the
   * last weights are used.
   */
  readonly validation: readonly E[];
  /**
   * Called after every epoch with its one-based number. Without validation images, there is no
   * validation loss.
   */
  readonly done: (epoch: number, loss: number, validationLoss?: number) => Promise<void>;
}

/** Result of training a network. */
export interface FitResult {
  /** Number of completed epochs. */
  readonly epochs: number;
  /** The epoch whose weights were selected, and its loss; only with validation images. */
  readonly best?: { readonly epoch: number; readonly loss: number } | undefined;
  /**
   * Number of epochs without progress after which training stopped; undefined if all epochs ran.
   */
  readonly stoppedAfter?: number | undefined;
}

/**
 * Trains a network on examples. Yields to the event loop after every batch. With validation images,
 * training stops when their loss no longer improves, and the network gets the weights from the best
 * epoch.
 */
export async function fit<E extends Shown>(
  examples: readonly E[],
  course: FitOptions<E>,
  random: Random,
): Promise<FitResult> {
  const { network, size, epochs, rate, loss, validation, done } = course;
  // The library's types declare the variables as tensors.
  const weights = network.trainableWeights.map((weight): unknown => weight.read()) as Variable[];
  const optimizer = new ScheduledAdam(rate);
  const batches = Math.ceil(examples.length / BATCH);
  const stopping = validation.length > 0 ? new EarlyStopping(epochs) : undefined;
  let bestWeights: Tensor[] = [];
  let trained = 0;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const order = shuffle(examples, random);
    let sum = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const shown = order.slice(batch * BATCH, (batch + 1) * BATCH);
      const changes = shown.map(() => randomChange(random));
      optimizer.advanceTo((epoch + batch / batches) / epochs);
      const pictures = augmentImages(shown, changes, size);
      const cost = optimizer.minimize(
        () => loss([network.apply(pictures, { training: true })].flat() as Outputs, shown, changes),
        true,
        weights,
      );
      sum += (cost?.dataSync()[0] ?? 0) * shown.length;
      dispose([pictures, ...(cost ? [cost] : [])]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    trained = epoch + 1;
    const validationLoss = stopping && meanLoss(course);
    if (validationLoss !== undefined && stopping?.add(trained, validationLoss) === true) {
      dispose(bestWeights);
      bestWeights = network.getWeights().map((weight) => weight.clone());
    }
    await done(trained, sum / examples.length, validationLoss);
    if (stopping?.isOver === true) break;
  }
  optimizer.dispose();
  if (bestWeights.length > 0) network.setWeights(bestWeights);
  dispose(bestWeights);
  const stoppedAfter = trained < epochs ? stopping?.patience : undefined;
  return { epochs: trained, best: stopping?.best, stoppedAfter };
}

/** Returns the loss on the unchanged validation images. */
function meanLoss<E extends Shown>({ network, size, validation, loss }: FitOptions<E>): number {
  let sum = 0;
  for (const { batch, outputs } of outputsFor(validation, network, size)) {
    const changes = batch.map(() => NO_CHANGE);
    const cost = tidy(() => loss(outputs as Outputs, batch, changes));
    sum += (cost.dataSync()[0] ?? NaN) * batch.length;
    dispose([cost, ...outputs]);
  }
  return sum / validation.length;
}

/** Yields a network's outputs for unchanged images. The caller must dispose of the tensors. */
export function* outputsFor<E extends Shown>(
  examples: readonly E[],
  network: LayersModel,
  size: number,
): Generator<{ batch: readonly E[]; outputs: Tensor[] }> {
  for (let at = 0; at < examples.length; at += BATCH) {
    const batch = examples.slice(at, at + BATCH);
    const outputs = tidy(() => {
      const pixels = Float32Array.from(batch.flatMap(({ square }) => [...square]));
      const pictures = tensor4d(pixels, [batch.length, size, size, CHANNELS]);
      return [network.apply(pictures)].flat() as Tensor[];
    });
    yield { batch, outputs };
  }
}

function augmentImages(shown: readonly Shown[], changes: readonly Change[], size: number): Tensor {
  const pixels = new Float32Array(shown.length * size * size * CHANNELS);
  for (const [at, { square }] of shown.entries()) {
    const change = changes[at];
    if (change) writeChanged(square, size, change, pixels, at * size * size * CHANNELS);
  }
  return tensor4d(pixels, [shown.length, size, size, CHANNELS]);
}

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const WARM_UP = 0.05;

/** Adam with warmup and cosine decay of the learning rate. */
class ScheduledAdam extends AdamOptimizer {
  constructor(private readonly max: number) {
    super(max, BETA_1, BETA_2);
  }

  /** @param share completed fraction of the training, from 0 to 1. */
  advanceTo(share: number): void {
    const rise = Math.min(1, (share + 0.01) / WARM_UP);
    this.learningRate = Math.max(1e-6, this.max * rise * 0.5 * (1 + Math.cos(Math.PI * share)));
  }
}

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

const MIN_EPOCHS = 12;

/**
 * Returns the number of epochs. Smaller datasets get more epochs, so training takes about the same
 * time for all datasets. The result is deterministic.
 * @param shown total number of times that images are shown.
 */
export function epochsFor(images: number, shown: number, max: number): number {
  return Math.min(Math.max(Math.round(shown / images), MIN_EPOCHS), max);
}
