import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled } from '../../../core/api/errors';
import type { DatasetReadiness, LabelCount } from '../../../core/data/datasets/datasetReadiness';
import { getTrainingKind, readinessFor } from '../../../core/training/submit/missingRequirement';
import type { TrainingTask } from '../../../core/model/trainingTask';
import { formatNumber } from '../../platform/quantityText';
import { toQuickPickText } from '../../platform/toQuickPickText';
import { formatExampleCount } from '../../platform/trainingText';

interface LabelItem extends vscode.QuickPickItem {
  readonly value: string;
}

/**
 * Prompts for the labels of a dataset to train on, and shows the number of examples for each label.
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

/** Keeps the list open until the user checks at least one label. The title requests this. */
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
