import * as vscode from 'vscode';
import type { ModelFramework, ModelKind, ModelTask } from '../../../../core/model/registryItem';
import { askOne } from '../../../platform/prompts';

const TASKS: readonly Exclude<ModelTask, 'unspecified'>[] = [
  'singleLabelClassification',
  'multiLabelClassification',
  'objectDetection',
];
const FRAMEWORKS: readonly Exclude<ModelFramework, 'unspecified'>[] = [
  'tflite',
  'tensorflow',
  'pytorch',
  'onnx',
];

/** Asks what the models are that a training script makes. Throws `cancelled`. */
export async function askModelKind(): Promise<ModelKind> {
  const title = vscode.l10n.t('Models');
  const { task } = await askOne(
    TASKS.map((one) => ({ label: taskText(one), task: one })),
    { title, placeholder: vscode.l10n.t('What do the models tell from pictures?') },
  );
  const { framework } = await askOne(
    FRAMEWORKS.map((one) => ({ label: frameworkText(one), framework: one })),
    { title, placeholder: vscode.l10n.t('Which format are the models in?') },
  );
  return { task, framework };
}

export function modelKindText({ task, framework }: ModelKind): string {
  return `${taskText(task)}, ${frameworkText(framework)}`;
}

function taskText(task: ModelTask): string {
  switch (task) {
    case 'singleLabelClassification':
      return vscode.l10n.t('one label for each picture');
    case 'multiLabelClassification':
      return vscode.l10n.t('several labels for each picture');
    case 'objectDetection':
      return vscode.l10n.t('objects in pictures');
    case 'unspecified':
      return vscode.l10n.t('not known');
  }
}

/** Names of products, the same in every language. */
function frameworkText(framework: ModelFramework): string {
  switch (framework) {
    case 'tflite':
      return 'TensorFlow Lite';
    case 'tensorflow':
      return 'TensorFlow';
    case 'pytorch':
      return 'PyTorch';
    case 'onnx':
      return 'ONNX';
    case 'unspecified':
      return vscode.l10n.t('not known');
  }
}
