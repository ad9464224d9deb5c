import {
  input,
  layers,
  type LayersModel,
  model,
  type SymbolicTensor,
} from '@tensorflow/tfjs-layers';
import { CHANNELS } from '../images/resize';
import { NetworkBuilder } from './convolutions';

export const CLASSIFIER_SIZE = 64;
const FILTERS = [16, 32, 48, 64];

/** One network in two forms that share their weights. */
export interface Network {
  /** What is learned: its outputs have no bounds yet. */
  readonly learning: LayersModel;
  /** What is stored. */
  readonly finished: LayersModel;
}

/**
 * Tells which classes are on a picture. Both the mean and the most of what is found anywhere count: large
 * things and small ones.
 */
export function classifierNetwork(
  classes: number,
  activation: 'softmax' | 'sigmoid',
  seed: number,
): Network {
  const builder = new NetworkBuilder(seed);
  const image = input({ shape: [CLASSIFIER_SIZE, CLASSIFIER_SIZE, CHANNELS], name: 'image' });
  let found = builder.scaled(image);
  for (const [at, filters] of FILTERS.entries()) {
    // The first one halves by its own steps.
    if (at > 1) found = builder.halved(found);
    found = builder.convolution(found, filters, at === 0 ? 2 : 1);
  }
  const mean = layers.globalAveragePooling2d({ name: 'mean' }).apply(found) as SymbolicTensor;
  const most = layers.globalMaxPooling2d({ name: 'most' }).apply(found) as SymbolicTensor;
  const learned = builder.dense(builder.joined(mean, most), 'classes', classes);
  const probability = layers.activation({ activation, name: 'probability' }).apply(learned);
  return {
    learning: model({ inputs: image, outputs: learned }),
    finished: model({ inputs: image, outputs: probability as SymbolicTensor }),
  };
}
