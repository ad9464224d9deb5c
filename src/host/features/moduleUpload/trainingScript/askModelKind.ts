import * as vscode from 'vscode';
import type { ModelFramework, ModelKind } from '../../../../core/model/registryItem';
import { TRAINING_TASKS } from '../../../../core/model/trainingTask';
import { askOne } from '../../../platform/prompts';
import { modelFrameworkText, modelTaskText } from '../../../platform/registryText';

const FRAMEWORKS: readonly Exclude<ModelFramework, 'unspecified'>[] = [
  'tflite',
  'tensorflow',
  'pytorch',
  'onnx',
];

/** Prompts for the task and format of a training script's models. Throws `canceled`. */
export async function askModelKind(): Promise<ModelKind> {
  const title = vscode.l10n.t('Models');
  const { task } = await askOne(
    TRAINING_TASKS.map((one) => ({ label: modelTaskText(one), task: one })),
    { title, placeholder: vscode.l10n.t('What does the model detect in images?') },
  );
  const { framework } = await askOne(
    FRAMEWORKS.map((one) => ({ label: modelFrameworkText(one), framework: one })),
    { title, placeholder: vscode.l10n.t('Which format do the models use?') },
  );
  return { task, framework };
}

/** Formats the task and format of models, such as `Object detection · TensorFlow Lite`. */
export function modelKindText({ task, framework }: ModelKind): string {
  return `${modelTaskText(task)} · ${modelFrameworkText(framework)}`;
}
