import assert from 'node:assert/strict';
import {
  conv2d,
  grads,
  mul,
  type Rank,
  randomUniform,
  sum,
  type Tensor,
  type Tensor4D,
  tensor,
} from '@tensorflow/tfjs-core';
// Import for its side effect: registers the gradients of all other operations.
import '@tensorflow/tfjs-layers';
import { startTestTensors } from '../../../../../support/testTensors';

const STEP = 0.5;

/**
 * Returns the derivative of the cost with respect to one of the values. A convolution is linear in
 * each value, so the result is exact.
 */
function slopeAt(values: Tensor, at: number, cost: (values: Tensor) => Tensor): number {
  const moved = (by: number): number => {
    const numbers = Float32Array.from(values.dataSync());
    numbers[at] = (numbers[at] ?? 0) + by;
    return cost(tensor(numbers, values.shape)).dataSync()[0] ?? 0;
  };
  return (moved(STEP) - moved(-STEP)) / (2 * STEP);
}

describe('the gradients of convolutions', () => {
  before(startTestTensors);

  for (const [size, stride, kernel, padding] of [
    [8, 1, 3, 'same'],
    [7, 1, 3, 'valid'],
    [8, 2, 3, 'same'],
    [7, 2, 3, 'same'],
    [8, 2, 3, 'valid'],
    [5, 1, 1, 'same'],
  ] as const) {
    it(`match the changes of outputs: ${size} wide, steps of ${stride}, ${kernel} wide weights, ${padding}`, () => {
      const x = randomUniform<Rank.R4>([2, size, size, 3], -1, 1, 'float32', 1);
      const filter = randomUniform<Rank.R4>([kernel, kernel, 3, 4], -1, 1, 'float32', 2);
      const shape = conv2d(x, filter, stride, padding).shape;
      const share = randomUniform(shape, -1, 1, 'float32', 3);
      const cost = (input: Tensor, weights: Tensor): Tensor =>
        sum(mul(conv2d(input as Tensor4D, weights as Tensor4D, stride, padding), share));
      const byFilter = grads((weights: Tensor) => cost(x, weights))([filter])[0];
      for (let at = 0; at < filter.size; at += 5) {
        const expected = slopeAt(filter, at, (weights) => cost(x, weights));
        assert.ok(Math.abs((byFilter?.dataSync()[at] ?? NaN) - expected) < 1e-3);
      }
      if (stride > 1) return;
      const byInput = grads((input: Tensor) => cost(input, filter))([x])[0];
      for (let at = 0; at < x.size; at += 7) {
        const expected = slopeAt(x, at, (input) => cost(input, filter));
        assert.ok(Math.abs((byInput?.dataSync()[at] ?? NaN) - expected) < 1e-3);
      }
    });
  }
});
