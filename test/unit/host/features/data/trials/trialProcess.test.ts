import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io, tensor } from '@tensorflow/tfjs-core';
import { loadLayersModel } from '@tensorflow/tfjs-layers';
import { FleetError } from '../../../../../../src/core/api/errors';
import type { Prediction, TrialModel } from '../../../../../../src/core/model/modelTrial';
import type { TrainingTask } from '../../../../../../src/core/model/trainingJob';
import { parseTrialModel } from '../../../../../../src/core/training/parseTrialModel';
import { TrialProcess } from '../../../../../../src/host/features/data/trials/trialProcess';
import { ManagedTrainer } from '../../../../../../src/service/training/openTrainings';
import { decodeImage } from '../../../../../../src/service/training/process/decodeImage';
import { resizeToSquare } from '../../../../../../src/service/training/process/resize';
import { detectionsIn } from '../../../../../../src/service/training/process/detector';
import { startTestTensors } from '../../../../../support/testTensors';
import { Canvas } from '../../../../../../src/simulate/images/canvas';
import { encodeImage } from '../../../../../../src/simulate/images/encodeImage';
import { Random } from '../../../../../../src/simulate/random';
import { bundledProgram } from '../../../../../support/bundledProgram';
import { silentLogger } from '../../../../../support/silentLogger';

const LABELS = ['red', 'blue'];
const IMAGES = 24;
const CLOSE = 1e-5;
const WORDS = { rejected: 'rejected', unreadable: 'unreadable', exited: 'exited' };

describe('TrialProcess', function () {
  this.timeout(120_000);
  let folder: string;

  before(async () => {
    await startTestTensors();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-trial-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Trains a model on images that each show a colored square.
   * @returns the folder of the model
   */
  async function train(task: TrainingTask, epochs: number): Promise<string> {
    const random = new Random('trial');
    const lines = Array.from({ length: IMAGES }, (_, at) => {
      const label = LABELS[at % 2] ?? '';
      const [left, top] = [random.wholeBetween(0, 24), random.wholeBetween(0, 12)];
      const canvas = new Canvas(48, 36);
      canvas.rectangle(left, top, left + 24, top + 24, at % 2 ? [30, 60, 200] : [200, 40, 40]);
      writeFileSync(join(folder, `${String(at)}.png`), encodeImage(canvas, 'png'));
      return JSON.stringify({
        image_path: `${String(at)}.png`,
        classification_annotations: [{ annotation_label: label }],
        bounding_box_annotations: [
          {
            annotation_label: label,
            x_min_normalized: left / 48,
            y_min_normalized: top / 36,
            x_max_normalized: (left + 24) / 48,
            y_max_normalized: (top + 24) / 36,
          },
        ],
      });
    });
    const datasetFile = join(folder, 'dataset.jsonl');
    writeFileSync(datasetFile, lines.join('\n'));
    const outputFolder = join(folder, 'model');
    mkdirSync(outputFolder);
    const program = await bundledProgram('trainingProcess');
    const trainer = new ManagedTrainer({ program, logger: silentLogger, limits: { epochs } });
    const training = { kind: 'managed', task, labels: LABELS, folder, outputFolder, datasetFile };
    await trainer.run(training as Parameters<ManagedTrainer['run']>[0], {
      signal: new AbortController().signal,
      log: () => Promise.resolve(),
    });
    return outputFolder;
  }

  function readModel(model: string): TrialModel {
    const files = readdirSync(model).map(
      (name) => [name, new Uint8Array(readFileSync(join(model, name)))] as const,
    );
    return parseTrialModel(new Map(files)) ?? assert.fail('not a model of a training');
  }

  const image = (at: number): Buffer => readFileSync(join(folder, `${String(at)}.png`));

  /** Returns the outputs of the trained network when the library itself loads it. */
  async function networkOutputs(model: string, size: number): Promise<Float32Array[][]> {
    const { modelTopology, weightsManifest } = JSON.parse(
      readFileSync(join(model, 'model.json'), 'utf8'),
    ) as { modelTopology: object; weightsManifest: { weights: io.WeightsManifestEntry[] }[] };
    const weights = new Uint8Array(readFileSync(join(model, 'weights.bin')));
    const network = await loadLayersModel(
      io.fromMemory({
        modelTopology,
        weightSpecs: weightsManifest[0]?.weights ?? [],
        weightData: weights.buffer,
      }),
    );
    return Array.from({ length: IMAGES }, (_, at) => {
      const square = resizeToSquare(decodeImage(image(at)), size);
      const outputs = [network.predict(tensor(square, [1, size, size, 3]))].flat();
      return outputs.map((output) => output.dataSync() as Float32Array);
    });
  }

  /**
   * Makes a detector that was trained on few images detect objects. Its initial bias makes all
   * objects unlikely, so this function changes the bias.
   */
  function makeSure(model: string): void {
    const { weightsManifest } = JSON.parse(readFileSync(join(model, 'model.json'), 'utf8')) as {
      weightsManifest: { weights: io.WeightsManifestEntry[] }[];
    };
    const file = join(model, 'weights.bin');
    const bytes = readFileSync(file);
    let at = 0;
    for (const { name, shape } of weightsManifest[0]?.weights ?? []) {
      const size = shape.reduce((product, length) => product * length, 1);
      if (name === 'likely/bias') {
        for (const index of LABELS.keys()) bytes.writeFloatLE(0, at + 4 * index);
      }
      at += 4 * size;
    }
    writeFileSync(file, bytes);
  }

  async function predictAll(model: string): Promise<readonly (readonly Prediction[])[]> {
    const program = await bundledProgram('trainingProcess');
    const { signal } = new AbortController();
    await using trial = await TrialProcess.start(readModel(model), {
      program,
      messages: WORDS,
      signal,
    });
    const all: (readonly Prediction[])[] = [];
    for (let at = 0; at < IMAGES; at += 1) all.push(await trial.predict(image(at)));
    return all;
  }

  for (const [task, size] of [
    ['singleLabelClassification', 64],
    ['multiLabelClassification', 96],
  ] as const) {
    it(`predicts like the trained network: ${task}`, async () => {
      const model = await train(task, 3);
      const outputs = await networkOutputs(model, size);
      const predicted = await predictAll(model);
      for (const [at, predictions] of predicted.entries()) {
        const confidences = LABELS.map((name) => getConfidence(predictions, name));
        assertClose(confidences, outputs[at]?.[0] ?? []);
        const [first, second] = predictions;
        assert.ok((first?.confidence ?? 0) >= (second?.confidence ?? 1), 'most confident first');
      }
    });
  }

  it('predicts like the trained network: objectDetection', async () => {
    const model = await train('objectDetection', 1);
    makeSure(model);
    const outputs = await networkOutputs(model, 128);
    const predicted = await predictAll(model);
    let count = 0;
    for (const [at, predictions] of predicted.entries()) {
      const [likely = new Float32Array(), reach = new Float32Array()] = outputs[at] ?? [];
      const expected = detectionsIn({ likely, reach }, LABELS.length);
      count += expected.length;
      assert.deepEqual(
        predictions.map(({ label }) => label),
        expected.map((detection) => LABELS[detection.class]),
      );
      assertClose(
        predictions.flatMap(({ confidence, box }) => [
          ...[confidence, box?.xMin ?? -1, box?.yMin ?? -1, box?.xMax ?? -1, box?.yMax ?? -1],
        ]),
        expected.flatMap(({ score, xMin, yMin, xMax, yMax }) => [score, xMin, yMin, xMax, yMax]),
      );
    }
    assert.ok(count > IMAGES / 2, `${String(count)} boxes`);
  });

  it('continues after a file that is not an image, and stops when it is canceled', async () => {
    const model = readModel(await train('singleLabelClassification', 1));
    const program = await bundledProgram('trainingProcess');
    const canceling = new AbortController();
    const options = { program, messages: WORDS, signal: canceling.signal };
    await using trial = await TrialProcess.start(model, options);
    await assert.rejects(trial.predict(Buffer.from('no image')), isError('invalid', 'unreadable'));
    assert.equal((await trial.predict(image(0))).length, 2);
    const reason = new Error('canceled by the test');
    const answer = trial.predict(image(1));
    canceling.abort(reason);
    await assert.rejects(answer, reason);
    await assert.rejects(TrialProcess.start(model, options), reason);
  });

  it('rejects weights that do not match the network of the task', async () => {
    const model = readModel(await train('singleLabelClassification', 1));
    const program = await bundledProgram('trainingProcess');
    const { signal } = new AbortController();
    for (const wrong of [
      { ...model, labels: [...LABELS, 'green'] },
      { ...model, task: 'objectDetection' as const },
      { ...model, weights: model.weights.slice(0, -8) },
    ]) {
      await assert.rejects(
        TrialProcess.start(wrong, { program, messages: WORDS, signal }),
        isError('unsupported', 'rejected'),
      );
    }
  });

  it('reports that the process could not be started', async () => {
    const model = readModel(await train('singleLabelClassification', 1));
    const { signal } = new AbortController();
    const program = join(folder, 'missing.js');
    await assert.rejects(
      TrialProcess.start(model, { program, messages: WORDS, signal }),
      isError('unavailable', 'exited'),
    );
  });
});

function isError(kind: FleetError['kind'], message: string): (error: unknown) => boolean {
  return (error) => error instanceof FleetError && error.kind === kind && error.message === message;
}

function getConfidence(predictions: readonly Prediction[], name: string): number {
  return predictions.find(({ label }) => label === name)?.confidence ?? -1;
}

function assertClose(actual: readonly number[], expected: ArrayLike<number>): void {
  assert.equal(actual.length, expected.length);
  for (const [at, value] of Array.from(expected).entries()) {
    const difference = Math.abs((actual[at] ?? Number.NaN) - value);
    assert.ok(difference < CLOSE, `at ${String(at)}: ${String(actual[at])}, not ${String(value)}`);
  }
}
