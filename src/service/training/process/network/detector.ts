import { input, model } from '@tensorflow/tfjs-layers';
import { CHANNELS } from '../images/resize';
import type { Network } from './classifier';
import { NetworkBuilder } from './convolutions';

export const DETECTOR_SIZE = 128;
/** Number of cells per side; each cell predicts the objects whose center is in it. */
export const GRID = 16;
/** Left, top, right, and bottom: distances from the center of a cell to the sides of its box. */
export const SIDES = 4;

/**
 * Initial bias that makes objects unlikely everywhere, so that training doesn't have to unlearn the
 * opposite first.
 */
const UNLIKELY = -4;
/** Logarithm of two cells, which is the initial distance to the sides of a box. */
const TWO_PLACES = Math.log(2);

/**
 * Creates a network that predicts, for each cell of a grid, the likelihood that the cell contains
 * the center of an object of each class, and the box of that object. Combines high-resolution and
 * low-resolution features.
 */
export function detectorNetwork(classes: number, seed: number): Network {
  const builder = new NetworkBuilder(seed);
  const image = input({ shape: [DETECTOR_SIZE, DETECTOR_SIZE, CHANNELS], name: 'image' });
  const fine = builder.convolution(builder.scaled(image), 16, 2);
  const middle = builder.convolution(builder.halved(fine), 32);
  const near = builder.convolution(builder.convolution(builder.halved(middle), 48), 48);
  const far = builder.convolution(builder.convolution(builder.halved(near), 64), 64);
  const both = builder.convolution(builder.joined(near, builder.doubled(far)), 48);
  const likely = builder.addCellOutputs(both, 'likely', classes, UNLIKELY);
  const reach = builder.addCellOutputs(both, 'reach', SIDES, TWO_PLACES);
  const network = model({ inputs: image, outputs: [likely, reach] });
  return { learning: network, finished: network };
}
