import * as vscode from 'vscode';
import type { DatasetReadiness, LabelCount } from '../../../core/data/datasets/datasetReadiness';
import {
  findMissingRequirements,
  getTrainingKind,
  learnableLabels,
  readinessFor,
} from '../../../core/training/submit/missingRequirement';
import { TRAINING_TASKS, type TrainingTask } from '../../../core/model/trainingJob';
import { pickOne } from '../../platform/prompts/prompts';
import { escapeIcons, formatNumber, toQuickPickText } from '../../platform/text/displayText';
import { formatModelTask } from '../../platform/text/registryText';
import { describeMissingRequirements } from './missingRequirements';
import { DisposableSet } from '../../../base/disposable';
import { canceled } from '../../../core/api/errors';
import { formatExampleCount } from '../../platform/text/trainingText';

/**
 * Prompts for a model's task, and shows for each task whether the dataset is ready. Throws
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

interface LabelItem extends vscode.QuickPickItem {
  readonly value: string;
}

/**
 * Prompts for a dataset's labels to train on, and shows the number of examples for each label.
 * Throws `canceled`.
 * @param chosen initially checked labels.
 */
export async function pickLabels(
  readiness: DatasetReadiness,
  task: TrainingTask,
  chosen: readonly string[],
  title: string,
): Promise<readonly string[]> {
  const labels = readinessFor(readiness, task)?.labels ?? [];
  const known = new Set(labels.map(({ label }) => label));
  const gone = chosen.filter((label) => !known.has(label));
  const items: LabelItem[] = [
    ...labels.map((count) => labelItem(count, task, chosen.includes(count.label))),
    ...gone.map((label) => ({
      label: toQuickPickText(label),
      description: vscode.l10n.t('no examples in this dataset'),
      picked: true,
      value: label,
    })),
  ];
  return pickAtLeastOne(items, title);
}

/**
 * Keeps the list open until the user checks at least one label. The title instructs the user to
 * check one.
 */
async function pickAtLeastOne(
  items: readonly LabelItem[],
  title: string,
): Promise<readonly string[]> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<LabelItem>());
  pick.title = title;
  pick.placeholder =
    items.length === 0
      ? vscode.l10n.t('This dataset has no labels for this task yet')
      : vscode.l10n.t('Select the labels to train the model on');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.items = items;
  pick.selectedItems = items.filter(({ picked }) => picked);
  try {
    return await new Promise<readonly string[]>((resolve, reject) => {
      owned.add(
        pick.onDidAccept(() => {
          const taken = pick.selectedItems.map(({ value }) => value);
          if (taken.length > 0) resolve(taken);
          else pick.title = vscode.l10n.t('{0}: select at least one label', title);
        }),
      );
      owned.add(
        pick.onDidChangeSelection((taken) => {
          if (taken.length > 0) pick.title = title;
        }),
      );
      owned.add(pick.onDidHide(() => reject(canceled())));
      pick.show();
    });
  } finally {
    owned.dispose();
  }
}

function labelItem(
  { label, count, missing }: LabelCount,
  task: TrainingTask,
  picked: boolean,
): LabelItem {
  return {
    label: toQuickPickText(label),
    description: formatExampleCount(count, getTrainingKind(task)),
    ...(missing > 0 && {
      detail: vscode.l10n.t('{0} more are needed for good results', formatNumber(missing)),
    }),
    picked,
    value: label,
  };
}
