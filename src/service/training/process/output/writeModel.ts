import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version_core as tensorflowVersion } from '@tensorflow/tfjs-core';
import type { TrainerJob } from '../../managed/trainerMessages';
import { onnxForm } from '../onnx/onnxForm';
import type { Trained } from '../trained';
import { writeLayersForm } from './layersForm';
import { modelReadme } from './modelReadme';

/** Writes the model, its labels, its metrics, and instructions to the output folder of a job. */
export async function writeModel(
  trained: Trained,
  { task, labels, outputFolder }: TrainerJob,
  seed: number,
  images: Readonly<Record<string, number>>,
): Promise<void> {
  const { model, size, epochs: plannedEpochs, fit, figures } = trained;
  const metrics = {
    task,
    labels,
    images,
    heldOut: figures,
    epochs: fit.epochs,
    plannedEpochs,
    ...(fit.best && { bestEpoch: fit.best.epoch }),
    seed,
    parameters: model.countParams(),
    input: { width: size, height: size, channels: 'RGB', values: '0 to 255' },
    madeWith: { '@tensorflow/tfjs-core': tensorflowVersion },
  };
  const write = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(join(outputFolder, name), content);
  await write('model.onnx', onnxForm(model, task, size, labels));
  await writeLayersForm(model, outputFolder);
  await write('labels.txt', labels.map((label) => `${label}\n`).join(''));
  await write('metrics.json', `${JSON.stringify(metrics, null, 2)}\n`);
  await write('README.md', modelReadme(trained, task));
}
