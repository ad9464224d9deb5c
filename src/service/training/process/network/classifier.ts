import {
  input,
  layers,
  type LayersModel,
  model,
  type SymbolicTensor,
} from '@tensorflow/tfjs-layers';
import { CHANNELS } from '../images/resize';
import { NetworkBuilder } from './convolutions';

/**
 * How long the sides of the pictures are that a classifier takes, in pixels. Where a picture shows several
 * things, each of them is smaller.
 */
export const CLASSIFIER_SIZES = {
  singleLabelClassification: 64,
  multiLabelClassification: 96,
} as const;
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
  task: keyof typeof CLASSIFIER_SIZES,
  classes: number,
  seed: number,
): Network {
  const builder = new NetworkBuilder(seed);
  const size = CLASSIFIER_SIZES[task];
  const image = input({ shape: [size, size, CHANNELS], name: 'image' });
  let found = builder.scaled(image);
  for (const [at, filters] of FILTERS.entries()) {
    // The first one halves by its own steps.
    if (at > 1) found = builder.halved(found);
    found = builder.convolution(found, filters, at === 0 ? 2 : 1);
  }
  const mean = layers.globalAveragePooling2d({ name: 'mean' }).apply(found) as SymbolicTensor;
  const most = layers.globalMaxPooling2d({ name: 'most' }).apply(found) as SymbolicTensor;
  const learned = builder.dense(builder.joined(mean, most), 'classes', classes);
  const activation = task === 'singleLabelClassification' ? 'softmax' : 'sigmoid';
  const probability = layers.activation({ activation, name: 'probability' }).apply(learned);
  return {
    learning: model({ inputs: image, outputs: learned }),
    finished: model({ inputs: image, outputs: probability as SymbolicTensor }),
  };
}
