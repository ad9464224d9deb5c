import {
  dispose,
  type Scalar,
  type Tensor,
  tensor4d,
  tidy,
  type Variable,
} from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { Random } from '../../../../simulate/random';
import { shuffle } from '../dataset/split';
import { CHANNELS } from '../images/resize';
import { type Change, randomChange, writeChanged } from './augment';
import { ScheduledAdam } from './scheduledAdam';

const BATCH = 16;

/** An example whose picture is ready to be shown to a network. */
export interface Shown {
  /** Red, green and blue bytes of a square. */
  readonly square: Uint8Array;
}

/** What a network tells of a batch; the second only where it has two outputs. */
export type Outputs = [Tensor, Tensor];

export interface Course<E extends Shown> {
  readonly network: LayersModel;
  /** How long the sides of the squares are, in pixels. */
  readonly size: number;
  readonly epochs: number;
  /** The longest step, where it is longest. */
  readonly rate: number;
  /** How wrong the outputs for a batch are, whose pictures were changed like this. */
  readonly loss: (outputs: Outputs, batch: readonly E[], changes: readonly Change[]) => Scalar;
  /** Hears of every epoch when it is done; counted from 1. */
  readonly done: (epoch: number, loss: number) => Promise<void>;
}

/** Has a network learn from examples. It lets the process do other things after every batch. */
export async function fit<E extends Shown>(
  examples: readonly E[],
  { network, size, epochs, rate, loss, done }: Course<E>,
  random: Random,
): Promise<void> {
  // The library declares the variables as tensors.
  const weights = network.trainableWeights.map((weight): unknown => weight.read()) as Variable[];
  const optimizer = new ScheduledAdam(rate);
  const batches = Math.ceil(examples.length / BATCH);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const order = shuffle(examples, random);
    let sum = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const shown = order.slice(batch * BATCH, (batch + 1) * BATCH);
      const changes = shown.map(() => randomChange(random));
      optimizer.advanceTo((epoch + batch / batches) / epochs);
      const pictures = changedPictures(shown, changes, size);
      const cost = optimizer.minimize(
        () => loss([network.apply(pictures, { training: true })].flat() as Outputs, shown, changes),
        true,
        weights,
      );
      sum += (cost?.dataSync()[0] ?? 0) * shown.length;
      dispose([pictures, ...(cost ? [cost] : [])]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done(epoch + 1, sum / examples.length);
  }
  optimizer.dispose();
}

/** What a network tells of pictures as they are. The tensors are the caller's. */
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

function changedPictures(
  shown: readonly Shown[],
  changes: readonly Change[],
  size: number,
): Tensor {
  const pixels = new Float32Array(shown.length * size * size * CHANNELS);
  for (const [at, { square }] of shown.entries()) {
    const change = changes[at];
    if (change) writeChanged(square, size, change, pixels, at * size * size * CHANNELS);
  }
  return tensor4d(pixels, [shown.length, size, size, CHANNELS]);
}
