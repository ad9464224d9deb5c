import {
  initializers,
  input,
  layers,
  type LayersModel,
  model,
  type SymbolicTensor,
} from '@tensorflow/tfjs-layers';
import { CHANNELS } from './resize';

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
 * Creates a network that predicts an image's classes. Uses average pooling for large objects and
 * maximum pooling for small objects.
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

/** Maps pixels from 0 to 255 to numbers from -1 to 1. */
const PIXEL_SCALE = 1 / 127.5;
const PIXEL_OFFSET = -1;

const KERNEL = 3;
const POOL = 2;

/**
 * Builds networks from the few kinds of layers that can be trained here and exported in every
 * format. The same seed produces the same initial weights.
 */
export class NetworkBuilder {
  private count = 0;

  constructor(private readonly seed: number) {}

  /** Scales an image's bytes to numbers around 0. */
  scaled(pixels: SymbolicTensor): SymbolicTensor {
    const layer = layers.rescaling({ name: 'scaled', scale: PIXEL_SCALE, offset: PIXEL_OFFSET });
    return layer.apply(pixels) as SymbolicTensor;
  }

  /** Only the first convolution can have a stride other than 1. */
  convolution(input: SymbolicTensor, filters: number, strides = 1): SymbolicTensor {
    const layer = layers.conv2d({
      name: this.named('convolution'),
      filters,
      strides,
      kernelSize: KERNEL,
      padding: 'same',
      activation: 'relu',
      kernelInitializer: initializers.heNormal({ seed: this.nextSeed() }),
    });
    return layer.apply(input) as SymbolicTensor;
  }

  /** Adds an output layer with logits for each cell separately. */
  addCellOutputs(
    input: SymbolicTensor,
    name: string,
    numbers: number,
    bias: number,
  ): SymbolicTensor {
    const layer = layers.dense({
      name,
      units: numbers,
      kernelInitializer: initializers.randomNormal({ stddev: 0.01, seed: this.nextSeed() }),
      biasInitializer: initializers.constant({ value: bias }),
    });
    return layer.apply(input) as SymbolicTensor;
  }

  halved(input: SymbolicTensor): SymbolicTensor {
    const layer = layers.maxPooling2d({ name: this.named('halved'), poolSize: POOL });
    return layer.apply(input) as SymbolicTensor;
  }

  doubled(input: SymbolicTensor): SymbolicTensor {
    const layer = layers.upSampling2d({ name: this.named('doubled'), size: [POOL, POOL] });
    return layer.apply(input) as SymbolicTensor;
  }

  joined(...inputs: SymbolicTensor[]): SymbolicTensor {
    return layers.concatenate({ name: this.named('joined') }).apply(inputs) as SymbolicTensor;
  }

  dense(input: SymbolicTensor, name: string, units: number): SymbolicTensor {
    const layer = layers.dense({
      name,
      units,
      kernelInitializer: initializers.glorotUniform({ seed: this.nextSeed() }),
    });
    return layer.apply(input) as SymbolicTensor;
  }

  private named(kind: string): string {
    this.count += 1;
    return `${kind}${String(this.count)}`;
  }

  private nextSeed(): number {
    this.count += 1;
    return this.seed + this.count;
  }
}
