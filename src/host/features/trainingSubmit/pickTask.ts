import * as vscode from 'vscode';
import type { DatasetReadiness } from '../../../core/data/datasets/datasetReadiness';
import {
  learnableLabels,
  readinessFor,
  findMissingRequirements,
} from '../../../core/training/submit/missingRequirement';
import { TRAINING_TASKS, type TrainingTask } from '../../../core/model/trainingTask';
import { pickOne } from '../../platform/prompts';
import { escapeIcons } from '../../platform/toQuickPickText';
import { formatModelTask } from '../../platform/registryText';
import { describeMissingRequirements } from './describeMissingRequirement';

/**
 * Prompts for the task of a model, and shows for each task whether the dataset is ready. Throws
 * `canceled`.
 */
export async function pickTask(readiness: DatasetReadiness, title: string): Promise<TrainingTask> {
  const items = TRAINING_TASKS.map((task) => ({
    label: formatModelTask(task),
    description: formatReadiness(readiness, task),
    detail: escapeIcons(meaning(task)),
    task,
  }));
  const placeholder = vscode.l10n.t('Select a model type');
  return (await pickOne(items, { title, placeholder })).task;
}

function formatReadiness(readiness: DatasetReadiness, task: TrainingTask): string {
  if (readiness.images === 0) return vscode.l10n.t('not ready: no images');
  const labels = learnableLabels(readiness, task);
  if ((readinessFor(readiness, task)?.labels.length ?? 0) === 0) {
    return task === 'objectDetection'
      ? vscode.l10n.t('not ready: no boxes')
      : vscode.l10n.t('not ready: no tags');
  }
  const requirements = findMissingRequirements(readiness, task, labels);
  return requirements.length === 0
    ? vscode.l10n.t('ready')
    : escapeIcons(vscode.l10n.t('not ready: {0}', describeMissingRequirements(requirements, task)));
}

function meaning(task: TrainingTask): string {
  switch (task) {
    case 'singleLabelClassification':
      return vscode.l10n.t('Assigns one of the labels to an image');
    case 'multiLabelClassification':
      return vscode.l10n.t('Decides for each label whether it applies to an image');
    case 'objectDetection':
      return vscode.l10n.t('Locates objects in an image and identifies them');
  }
}
