import { dispose, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { Prediction, TrialModel } from '../../../../core/model/modelTrial';
import { outputsFor } from '../fit';
import type { RgbaImage } from '../decodeImage';
import { resizeToSquare } from '../resize';
import { CLASSIFIER_SIZES, classifierNetwork } from '../network';
import { detectionsIn, DETECTOR_SIZE, detectorNetwork } from '../detector';
import { TrainingRejectedError } from '../report';

/** The seed doesn't matter because the initial weights are replaced with the model's weights. */
const ANY_SEED = 0;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** A trained network for predictions on single images. */
export class TrialNetwork {
  private readonly network: LayersModel;
  private readonly size: number;

  /** @throws TrainingRejectedError if the weights don't match the task's network. */
  constructor(private readonly model: TrialModel) {
    const { task, labels } = model;
    const isDetector = task === 'objectDetection';
    this.size = isDetector ? DETECTOR_SIZE : CLASSIFIER_SIZES[task];
    this.network = isDetector
      ? detectorNetwork(labels.length, ANY_SEED).finished
      : classifierNetwork(task, labels.length, ANY_SEED).finished;
    tidy(() => this.network.setWeights(this.readWeights()));
  }

  /** Returns the predictions for an image, most confident first. */
  predict(picture: RgbaImage): readonly Prediction[] {
    const [first = new Float32Array(), second] = this.run(picture);
    const { labels } = this.model;
    const predictions = second
      ? detectionsIn({ likely: first, reach: second }, labels.length).map(
          ({ class: classIndex, score, ...box }) => ({
            label: labels[classIndex] ?? '',
            confidence: score,
            box,
          }),
        )
      : labels.map((label, index) => ({ label, confidence: first[index] ?? 0 }));
    return predictions.sort((a, b) => b.confidence - a.confidence);
  }

  /** Runs the network and returns the values of each output. */
  private run(picture: RgbaImage): readonly Float32Array[] {
    const square = resizeToSquare(picture, this.size);
    const [{ outputs } = { outputs: [] }] = outputsFor([{ square }], this.network, this.size);
    try {
      return outputs.map((output) => output.dataSync() as Float32Array);
    } finally {
      dispose(outputs);
    }
  }

  private readWeights(): Tensor[] {
    const bytes = Buffer.from(this.model.weights, 'base64');
    const expected = this.network.getWeights().map(({ shape }) => shape);
    const total = expected.reduce((sum, shape) => sum + countElements(shape), 0);
    const isSame = JSON.stringify(expected) === JSON.stringify(this.model.shapes);
    if (!isSame || bytes.length !== total * FLOAT_BYTES) {
      throw new TrainingRejectedError('the weights do not fit the network');
    }
    // Copies the bytes, because floats must be aligned to four bytes.
    const values = new Float32Array(new Uint8Array(bytes).buffer);
    let at = 0;
    return expected.map((shape) => {
      const start = at;
      at += countElements(shape);
      return tensor(values.subarray(start, at), shape);
    });
  }
}

function countElements(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
