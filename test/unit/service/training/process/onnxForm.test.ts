import assert from 'node:assert/strict';
import { tensor } from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import { env, InferenceSession, Tensor as OnnxTensor } from 'onnxruntime-web';
import { computeIou } from '../../../../../src/core/model/boxOverlap';
import { MIN_DETECTION_SCORE } from '../../../../../src/core/model/modelTrial';
import type { TrainingTask } from '../../../../../src/core/model/trainingJob';
import {
  CLASSIFIER_SIZES,
  classifierNetwork,
} from '../../../../../src/service/training/process/network';
import {
  type Detection,
  detectionsIn,
  DETECTOR_SIZE,
  detectorNetwork,
} from '../../../../../src/service/training/process/detector';
import { onnxForm } from '../../../../../src/service/training/process/train';
import { startTestTensors } from '../../../../support/testTensors';
import { Random } from '../../../../../src/simulate/random';

const CLOSE = 1e-4;
const LABELS = ['cup', 'plate', 'spoon'];
const SEED = 7;
/** Bias with which some cells, but not most, are more likely than `MIN_DETECTION_SCORE`. */
const SELDOM = -2;
/**
 * IoU at or above which two boxes of one class count as the same object. The file reports both
 * boxes, and programs that read it use the more likely one.
 */
const ONE_THING = 0.5;

type Numbers = Readonly<Record<string, Float32Array>>;

describe('the predictions of an ONNX model', () => {
  const random = new Random('pictures and weights');

  before(async () => {
    // In this environment, threads are separate processes, which would outlive the tests.
    env.wasm.numThreads = 1;
    env.logLevel = 'error';
    await startTestTensors();
  });

  for (const [task, labels] of [
    ['singleLabelClassification', LABELS],
    ['multiLabelClassification', LABELS],
    ['multiLabelClassification', LABELS.slice(0, 1)],
  ] as const) {
    it(`match the trained network: ${task} of ${String(labels.length)}`, async () => {
      const size = CLASSIFIER_SIZES[task];
      const model = scattered(classifierNetwork(task, labels.length, SEED).finished);
      for (const { network, onnx } of await computeAnswers(model, task, size, labels)) {
        const [probability = []] = network;
        assert.equal(probability.length, labels.length);
        assertClose(onnx.probability, probability);
      }
    });
  }

  it('match the trained network: objectDetection', async () => {
    const model = scattered(detectorNetwork(LABELS.length, SEED).finished);
    for (const { network, onnx } of await computeAnswers(
      model,
      'objectDetection',
      DETECTOR_SIZE,
      LABELS,
    )) {
      const [likely = new Float32Array(), reach = new Float32Array()] = network;
      const expected = detectionsIn({ likely, reach }, LABELS.length);
      const detected = thingsIn(onnx);
      assert.ok(expected.length > 5, String(expected.length));
      assert.deepEqual(detected.map(getClass), expected.map(getClass));
      assertClose(detected.flatMap(toNumbers), expected.flatMap(toNumbers));
    }
  });

  /**
   * Replaces the weights with random weights, like those of a trained network, because many initial
   * weights are the same.
   */
  function scattered(model: LayersModel): LayersModel {
    for (const layer of model.layers) {
      const weights = layer.getWeights().map(({ shape, size }) => {
        const isBias = shape.length === 1;
        const middle = isBias && layer.name === 'likely' ? SELDOM : 0;
        const deviation = isBias ? 0.2 : Math.sqrt(2 / (size / (shape.at(-1) ?? 1)));
        return tensor(
          Array.from({ length: size }, () => middle + random.normal(deviation)),
          shape,
        );
      });
      layer.setWeights(weights);
    }
    return model;
  }

  /** Returns the outputs of both the network and its ONNX form for the same images. */
  async function computeAnswers(
    model: LayersModel,
    task: TrainingTask,
    size: number,
    labels: readonly string[],
  ): Promise<{ network: Float32Array[]; onnx: Numbers }[]> {
    const session = await InferenceSession.create(onnxForm(model, task, size, labels));
    const shape = [1, size, size, 3];
    const answers = [];
    for (let picture = 0; picture < 2; picture += 1) {
      const bytes = Uint8Array.from({ length: size * size * 3 }, () => random.wholeBetween(0, 255));
      const outputs = [model.predict(tensor(bytes, shape))].flat();
      const results = await session.run({ image: new OnnxTensor('uint8', bytes, shape) });
      answers.push({
        network: outputs.map((output) => output.dataSync() as Float32Array),
        onnx: Object.fromEntries(
          Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]),
        ),
      });
    }
    await session.release();
    return answers;
  }
});

function assertClose(actual: ArrayLike<number> = [], expected: ArrayLike<number>): void {
  assert.equal(actual.length, expected.length);
  for (const [at, value] of Array.from(expected).entries()) {
    const difference = Math.abs((actual[at] ?? Number.NaN) - value);
    assert.ok(difference < CLOSE, `at ${String(at)}: ${String(actual[at])}, not ${String(value)}`);
  }
}

/**
 * Reads the outputs like a program that uses the file: of two boxes for one object, only the more
 * likely one counts.
 */
function thingsIn({ location, category, score }: Numbers): Detection[] {
  assert.ok(location && category && score);
  assert.ok((score.at(-1) ?? 1) < MIN_DETECTION_SCORE, 'there is room for all that is likely');
  const detections: Detection[] = [];
  for (const [at, likely] of score.entries()) {
    const [yMin = 0, xMin = 0, yMax = 0, xMax = 0] = location.subarray(at * 4, at * 4 + 4);
    const one = { xMin, yMin, xMax, yMax, class: category[at] ?? -1, score: likely };
    const isDuplicate = detections.some(
      (other) => other.class === one.class && computeIou(one, other) >= ONE_THING,
    );
    if (likely >= MIN_DETECTION_SCORE && !isDuplicate) detections.push(one);
  }
  return detections;
}

function getClass(detection: Detection): number {
  return detection.class;
}

function toNumbers({ xMin, yMin, xMax, yMax, score }: Detection): number[] {
  return [xMin, yMin, xMax, yMax, score];
}
