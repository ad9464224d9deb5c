import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainingTask } from '../../../../../src/core/model/trainingJob';
import {
  type ManagedLimits,
  ManagedTrainer,
} from '../../../../../src/service/training/openTrainings';
import {
  TrainingError,
  type TrainingLine,
} from '../../../../../src/service/training/trainingRunner';
import { Canvas, type Color } from '../../../../../src/simulate/images/canvas';
import { encodeImage } from '../../../../../src/simulate/images/encodeImage';
import { Random } from '../../../../../src/simulate/random';
import { bundledProgram } from '../../../../support/bundledProgram';
import { silentLogger } from '../../../../support/silentLogger';

const COLORS: Readonly<Record<string, Color>> = { blue: [30, 60, 200], red: [200, 40, 40] };
const MODEL_FILES = [
  'README.md',
  'labels.txt',
  'metrics.json',
  'model.json',
  'model.onnx',
  'weights.bin',
];

/** Writes small images that each show a colored square. */
function writeDataset(folder: string, count: number): void {
  const random = new Random('managed trainer');
  const lines = Array.from({ length: count }, (_, at) => {
    const label = at % 2 === 0 ? 'red' : 'blue';
    const canvas = new Canvas(48, 36);
    const [left, top] = [random.wholeBetween(0, 24), random.wholeBetween(0, 12)];
    canvas.rectangle(left, top, left + 24, top + 24, COLORS[label] ?? [0, 0, 0]);
    const path = `${String(at)}.png`;
    writeFileSync(join(folder, path), encodeImage(canvas, 'png'));
    return JSON.stringify({
      image_path: path,
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
  writeFileSync(join(folder, 'dataset.jsonl'), lines.join('\n'));
}

describe('managed training', function () {
  this.timeout(120_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-trainer-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  interface Run {
    task?: TrainingTask;
    limits?: Partial<ManagedLimits>;
    signal?: AbortSignal;
    output?: string;
    onLine?: (line: TrainingLine) => void;
  }

  async function train({
    task = 'singleLabelClassification',
    limits = {},
    signal = new AbortController().signal,
    output = 'model',
    onLine = () => undefined,
  }: Run = {}): Promise<string> {
    const outputFolder = join(folder, output);
    mkdirSync(outputFolder);
    const trainer = new ManagedTrainer({
      program: await bundledProgram('trainingProcess'),
      logger: silentLogger,
      limits: { epochs: 3, ...limits },
    });
    await trainer.run(
      {
        kind: 'managed',
        task,
        labels: ['red', 'blue'],
        folder,
        outputFolder,
        datasetFile: join(folder, 'dataset.jsonl'),
      },
      {
        signal,
        log: (line) => {
          onLine(line);
          return Promise.resolve();
        },
      },
    );
    return outputFolder;
  }

  it('trains, reports its progress, and stores a model with its metrics', async () => {
    writeDataset(folder, 40);
    const lines: string[] = [];
    const output = await train({ onLine: ({ message }) => lines.push(message) });
    assert.deepEqual(readdirSync(output).sort(), MODEL_FILES);
    assert.equal(readFileSync(join(output, 'labels.txt'), 'utf8'), 'red\nblue\n');
    const metrics = JSON.parse(readFileSync(join(output, 'metrics.json'), 'utf8')) as {
      images: object;
      heldOut: { accuracy: number };
    };
    assert.deepEqual(metrics.images, { training: 32, heldOut: 8 });
    assert.equal(metrics.heldOut.accuracy, 1);
    assert.match(lines.join('\n'), /^Epoch 3\/3 - loss: \d\.\d{4} - val_accuracy: 1\.0000$/m);
  });

  it('creates the same model for the same images', async () => {
    writeDataset(folder, 24);
    const limits = { epochs: 1 };
    const [one, other] = [
      await train({ limits, output: 'one' }),
      await train({ limits, output: 'other' }),
    ];
    for (const file of MODEL_FILES) {
      assert.deepEqual(readFileSync(join(one, file)), readFileSync(join(other, file)), file);
    }
  });

  for (const task of ['multiLabelClassification', 'objectDetection'] as const) {
    it(`creates a model for the task ${task}`, async () => {
      writeDataset(folder, 24);
      const output = await train({ task, limits: { epochs: 1 } });
      assert.deepEqual(readdirSync(output).sort(), MODEL_FILES);
    });
  }

  it('reports what to add if there are too few images', async () => {
    writeDataset(folder, 6);
    await assert.rejects(
      train(),
      (error) => error instanceof TrainingError && error.message.includes('Add 7 more'),
    );
  });

  it('counts images that cannot be read, and continues without them', async () => {
    writeDataset(folder, 24);
    writeFileSync(join(folder, '0.png'), 'no picture');
    const warnings: string[] = [];
    await train({
      limits: { epochs: 1 },
      onLine: ({ level, message }) => level === 'warn' && warnings.push(message),
    });
    assert.match(warnings.join('\n'), /^1 image could not be read and is skipped: neither/m);
  });

  it('stops immediately when it is canceled', async () => {
    writeDataset(folder, 40);
    const cancel = new AbortController();
    const canceled = new Error('canceled');
    await assert.rejects(
      train({
        signal: cancel.signal,
        limits: { epochs: 60 },
        onLine: ({ message }) => message.startsWith('Epoch 1/') && cancel.abort(canceled),
      }),
      canceled,
    );
  });

  it('is stopped at its limits of time and memory', async () => {
    writeDataset(folder, 40);
    await assert.rejects(
      train({ limits: { seconds: 0.01 }, output: 'slow' }),
      /stopped after the time limit/,
    );
    await assert.rejects(
      train({ limits: { memoryBytes: 1024 }, output: 'big' }),
      /exceeded the memory limit/,
    );
  });

  it('reports that the installation cannot train without its program', async () => {
    const trainer = new ManagedTrainer({ program: undefined, logger: silentLogger });
    await assert.rejects(
      trainer.run(
        {
          kind: 'managed',
          task: 'objectDetection',
          labels: [],
          folder,
          datasetFile: '',
          outputFolder: folder,
        },
        { signal: new AbortController().signal, log: () => Promise.resolve() },
      ),
      /missing the training component/,
    );
  });
});
