import assert from 'node:assert/strict';
import { losses, type Scalar, tensor2d } from '@tensorflow/tfjs-core';
import { initializers, input, layers, type LayersModel, model } from '@tensorflow/tfjs-layers';
import { fit, type FitResult } from '../../../../../src/service/training/process/fit';
import { describeFit } from '../../../../../src/service/training/process/train';
import { startTestTensors } from '../../../../support/testTensors';
import { Random } from '../../../../../src/simulate/random';

const SIZE = 4;
const EPOCHS = 20;

interface Bright {
  readonly square: Uint8Array;
  readonly isBright: boolean;
}

/**
 * Returns images of bright and dark squares.
 * @param isTrue true for correct labels
 */
function squares(count: number, isTrue: boolean): Bright[] {
  return Array.from({ length: count }, (_, index) => {
    const isBright = index % 2 === 0;
    const square = new Uint8Array(SIZE * SIZE * 3).fill(isBright ? 220 : 30);
    return { square, isBright: isBright === isTrue };
  });
}

function brightnessNetwork(): LayersModel {
  const image = input({ shape: [SIZE, SIZE, 3] });
  const scaled = layers.rescaling({ scale: 1 / 127.5, offset: -1 }).apply(image);
  const flat = layers.flatten().apply(scaled);
  const kernelInitializer = initializers.randomNormal({ stddev: 0.05, seed: 1 });
  const output = layers.dense({ units: 1, kernelInitializer }).apply(flat);
  return model({ inputs: image, outputs: output as typeof image });
}

function getWeightValues(network: LayersModel): number[] {
  return network.getWeights().flatMap((weight) => [...weight.dataSync()]);
}

describe('fit', () => {
  before(startTestTensors);

  /**
   * Trains a network.
   * @param validation images for early stopping
   * @returns the result, with the weights after every epoch
   */
  async function train(validation: readonly Bright[]): Promise<{
    readonly result: FitResult;
    readonly weights: readonly number[][];
    readonly final: readonly number[];
    readonly validationLosses: readonly (number | undefined)[];
  }> {
    const network = brightnessNetwork();
    const weights: number[][] = [];
    const validationLosses: (number | undefined)[] = [];
    const result = await fit(
      squares(32, true),
      {
        network,
        size: SIZE,
        epochs: EPOCHS,
        rate: 0.01,
        validation,
        loss: ([output], batch): Scalar => {
          const truth = tensor2d(batch.map(({ isBright }) => [isBright ? 1 : 0]));
          return losses.sigmoidCrossEntropy(truth, output);
        },
        done: (_, _loss, validationLoss) => {
          weights.push(getWeightValues(network));
          validationLosses.push(validationLoss);
          return Promise.resolve();
        },
      },
      new Random('fit'),
    );
    return { result, weights, final: getWeightValues(network), validationLosses };
  }

  it('stops after the loss on validation images no longer improves, with the best weights', async () => {
    // With these labels, training makes the predictions worse in every epoch.
    const { result, weights, final, validationLosses } = await train(squares(8, false));
    assert.deepEqual([result.epochs, result.best?.epoch, result.stoppedAfter], [9, 1, 8]);
    assert.ok((validationLosses[8] ?? 0) > (validationLosses[0] ?? 0));
    assert.equal(result.best?.loss, validationLosses[0]);
    assert.deepEqual(final, weights[0]);
    assert.notDeepEqual(final, weights[8]);
    assert.match(
      describeFit(result, EPOCHS, 8) ?? '',
      /^Stopped after 9 of 20 epochs: the loss on 8 validation images has not improved for 8 epochs\. The model has the weights of epoch 1, whose loss is the lowest: \d\.\d{4}\.$/,
    );
  });

  it('runs all epochs while the loss improves', async () => {
    const { result, weights, final } = await train(squares(8, true));
    assert.deepEqual([result.epochs, result.best?.epoch, result.stoppedAfter], [20, 20, undefined]);
    assert.deepEqual(final, weights[19]);
    assert.match(describeFit(result, EPOCHS, 8) ?? '', /^All 20 epochs are done\. /);
  });

  it('runs all epochs without validation images, and returns the last weights', async () => {
    const { result, weights, final, validationLosses } = await train([]);
    assert.deepEqual(result, { epochs: 20, best: undefined, stoppedAfter: undefined });
    assert.deepEqual(final, weights[19]);
    assert.ok(validationLosses.every((loss) => loss === undefined));
    assert.equal(describeFit(result, EPOCHS, 0), undefined);
  });
});
