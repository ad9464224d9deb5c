import { input, model } from '@tensorflow/tfjs-layers';
import { CHANNELS } from '../images/resize';
import type { Network } from './classifier';
import { NetworkBuilder } from './convolutions';

export const DETECTOR_SIZE = 128;
/** Places across and down; each tells of the things whose middle lies in it. */
export const GRID = 16;
/** Left, top, right and bottom: how far its box reaches from the middle of a place. */
export const SIDES = 4;

/** At first nothing is likely anywhere: the training does not begin by unlearning the opposite. */
const UNLIKELY = -4;
/** The logarithm of two places, which is where the sides of boxes begin. */
const TWO_PLACES = Math.log(2);

/**
 * Tells for each place of a grid how likely the middle of a thing of each class is there, and how far the
 * box of that thing reaches. What is seen nearby is joined by what is seen from further away.
 */
export function detectorNetwork(classes: number, seed: number): Network {
  const builder = new NetworkBuilder(seed);
  const image = input({ shape: [DETECTOR_SIZE, DETECTOR_SIZE, CHANNELS], name: 'image' });
  const fine = builder.convolution(builder.scaled(image), 16, 2);
  const middle = builder.convolution(builder.halved(fine), 32);
  const near = builder.convolution(builder.convolution(builder.halved(middle), 48), 48);
  const far = builder.convolution(builder.convolution(builder.halved(near), 64), 64);
  const both = builder.convolution(builder.joined(near, builder.doubled(far)), 48);
  const likely = builder.places(both, 'likely', classes, UNLIKELY);
  const reach = builder.places(both, 'reach', SIDES, TWO_PLACES);
  const network = model({ inputs: image, outputs: [likely, reach] });
  return { learning: network, finished: network };
}
