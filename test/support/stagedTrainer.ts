import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type Training,
  TrainingError,
  type TrainingOptions,
  type TrainingRunner,
} from '../../src/service/training/trainingRunner';

/** Number of lines that a training job with outcome `talks` logs. */
export const TALK_LINES = 1201;

/** Number of 16 KB lines that a training job with outcome `shouts` logs. */
export const SHOUT_LINES = 300;

/**
 * Outcome of a training job. It is specified by the job's first label or, for a custom job, by the
 * argument `comes_to`.
 */
export type Outcome =
  | 'waits'
  | 'fails'
  | 'breaks'
  | 'leaves-nothing'
  | 'links-outside'
  | 'talks'
  | 'shouts'
  | 'model';

/**
 * A fake trainer that produces the outcome that a job requests; for `model`, it writes its input as
 * the model. Allows testing the handling of jobs without any training.
 */
export class StagedTrainer implements TrainingRunner {
  /** The training jobs that were started, in order. */
  readonly begun: Training[] = [];
  /** Contents of the dataset files of these jobs. */
  readonly datasets: string[] = [];

  async run(training: Training, { signal, log }: TrainingOptions): Promise<void> {
    signal.throwIfAborted();
    this.begun.push(training);
    this.datasets.push(await readFile(training.datasetFile, 'utf8'));
    switch (this.getOutcome(training)) {
      case 'waits':
        await log({ level: 'info', message: 'Epoch 1/2 - loss: 0.7000 - accuracy: 0.5000' });
        await aborted(signal);
        return;
      case 'fails':
        throw new TrainingError('The dataset has 3 images, and 15 are needed: add 12 more.');
      case 'breaks':
        throw new Error('a slip');
      case 'leaves-nothing':
        return;
      case 'links-outside':
        await symlink(training.datasetFile, join(training.outputFolder, 'labels.txt'));
        break;
      case 'talks':
        for (let line = 0; line < TALK_LINES; line += 1) {
          await log({ level: 'info', message: `line ${String(line)}` });
        }
        break;
      case 'shouts':
        for (let line = 0; line < SHOUT_LINES; line += 1) {
          await log({ level: 'info', message: `${'€'.repeat(5_000)} ${String(line)}` });
        }
        break;
      case 'model':
      case undefined:
    }
    await log({ level: 'info', message: 'Epoch 2/2 - loss: 0.1000 - accuracy: 1.0000' });
    await writeModel(training);
  }

  protected getOutcome(training: Training): Outcome | undefined {
    const outcome = training.kind === 'managed' ? training.labels[0] : training.arguments.comes_to;
    return outcome as Outcome | undefined;
  }
}

async function writeModel(training: Training): Promise<void> {
  const { outputFolder, datasetFile } = training;
  await writeFile(join(outputFolder, 'model.onnx'), 'weights');
  await copyFile(datasetFile, join(outputFolder, basename(datasetFile)));
  if (training.kind === 'custom') {
    await writeFile(join(outputFolder, 'script.bin'), await readFile(training.archive));
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
