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
 * Side lengths of a classifier's input images, in pixels. With multiple labels, the images are
 * larger because each object in an image with many objects is smaller.
 */
export const CLASSIFIER_SIZES = {
  singleLabelClassification: 64,
  multiLabelClassification: 96,
} as const;
const FILTERS = [16, 32, 48, 64];

/** A network in two forms with shared weights. */
export interface Network {
  /** The form for training, whose outputs are logits. */
  readonly learning: LayersModel;
  /** Form for storage. */
  readonly finished: LayersModel;
}

/**
 * Creates a network that predicts the classes of an image. Uses both average pooling, for large
 * objects, and maximum pooling, for small ones.
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
    // The first convolution halves the size with its stride.
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
