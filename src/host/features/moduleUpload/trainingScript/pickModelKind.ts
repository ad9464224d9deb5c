import * as vscode from 'vscode';
import type { ModelFramework, ModelKind } from '../../../../core/model/registryItem';
import { TRAINING_TASKS } from '../../../../core/model/trainingTask';
import { pickOne } from '../../../platform/prompts';
import { formatModelFramework, formatModelTask } from '../../../platform/registryText';

const FRAMEWORKS: readonly Exclude<ModelFramework, 'unspecified'>[] = [
  'tflite',
  'tensorflow',
  'pytorch',
  'onnx',
];

/** Prompts for the task and format of a training script's models. Throws `canceled`. */
export async function pickModelKind(): Promise<ModelKind> {
  const title = vscode.l10n.t('Models');
  const { task } = await pickOne(
    TRAINING_TASKS.map((one) => ({ label: formatModelTask(one), task: one })),
    { title, placeholder: vscode.l10n.t('What does the model detect in images?') },
  );
  const { framework } = await pickOne(
    FRAMEWORKS.map((one) => ({ label: formatModelFramework(one), framework: one })),
    { title, placeholder: vscode.l10n.t('Which format do the models use?') },
  );
  return { task, framework };
}

/** Formats the task and format of models, such as `Object detection · TensorFlow Lite`. */
export function formatModelKind({ task, framework }: ModelKind): string {
  return `${formatModelTask(task)} · ${formatModelFramework(framework)}`;
}
