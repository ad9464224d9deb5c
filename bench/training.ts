import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedTrainer } from '../src/service/training/openTrainings';
import type { TrainingTask } from '../src/core/model/trainingJob';
import { bundledProgram } from '../test/support/bundledProgram';
import { silentLogger } from '../test/support/silentLogger';
import { type SceneKind, writeScenes } from './support/trainingScenes';
import { report, runBenchmark } from './support/figures';

const MAX_SECONDS = 180;

interface Case {
  name: string;
  scenes: SceneKind;
  images: number;
  task: TrainingTask;
  /** True if the labels are random, so that a model can't learn anything from them. */
  isRandom?: boolean;
}

const cases: readonly Case[] = [
  { name: 'TwoClasses', scenes: 'two', images: 160, task: 'singleLabelClassification' },
  { name: 'FourClasses', scenes: 'four', images: 240, task: 'singleLabelClassification' },
  { name: 'SeveralLabels', scenes: 'multi', images: 240, task: 'multiLabelClassification' },
  { name: 'Boxes', scenes: 'boxes', images: 140, task: 'objectDetection' },
  {
    name: 'RandomLabels',
    scenes: 'two',
    images: 160,
    task: 'singleLabelClassification',
    isRandom: true,
  },
];

interface Metrics {
  epochs: number;
  heldOut: { accuracy?: number; exactMatch?: number; meanIou?: number; recall?: number };
}

/**
 * Trains on images whose objects differ only in shape; reports the model's predictions for other
 * images.
 */
async function measure({ name, scenes, images, task, isRandom = false }: Case): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-training-'));
  try {
    const labels = writeScenes(folder, scenes, images, isRandom);
    const outputFolder = join(folder, 'model');
    mkdirSync(outputFolder);
    const trainer = new ManagedTrainer({
      program: await bundledProgram('trainingProcess'),
      logger: silentLogger,
    });
    const lines: string[] = [];
    const started = performance.now();
    await trainer.run(
      {
        kind: 'managed',
        task,
        labels,
        folder,
        outputFolder,
        datasetFile: join(folder, 'dataset.jsonl'),
      },
      {
        signal: new AbortController().signal,
        log: ({ message }) => {
          lines.push(message);
          return Promise.resolve();
        },
      },
    );
    const seconds = (performance.now() - started) / 1000;
    const processor = Number(/took (\d+) seconds/.exec(lines.join('\n'))?.[1]);
    const { epochs, heldOut } = JSON.parse(
      readFileSync(join(outputFolder, 'metrics.json'), 'utf8'),
    ) as Metrics;
    const { accuracy, exactMatch, meanIou, recall } = heldOut;
    const figures = { accuracy, exactMatch, meanIou, recall, epochs, processor, seconds };
    report({
      name: `training${name}`,
      ratio: processor / MAX_SECONDS,
      against: '3 minutes of a processor',
      aim: '<= 1',
      ...figures,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const [only] = process.argv.slice(2);
  for (const one of cases) {
    if (only === undefined || one.name === only) await measure(one);
  }
}

runBenchmark(main);
