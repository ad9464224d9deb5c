import type { TrainingLine } from '../trainingRunner';

/** Tells of the training as it goes on; a training waits until it was told. */
export type Report = (message: string, level?: TrainingLine['level']) => Promise<void>;

/** Why no model can come of a training, in a sentence for the person who asked for it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** `Epoch 3/40 - loss: 0.4121 - val_accuracy: 0.8750`, as Keras says it. */
export function epochLine(
  epoch: number,
  epochs: number,
  figures: Readonly<Record<string, number>>,
): string {
  const said = Object.entries(figures).map(([name, value]) => `${name}: ${value.toFixed(4)}`);
  return [`Epoch ${String(epoch)}/${String(epochs)}`, ...said].join(' - ');
}
