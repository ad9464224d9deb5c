import * as vscode from 'vscode';
import { cancelled } from '../../../core/api/errors';
import type { DatasetReadiness, LabelCount } from '../../../core/data/datasets/datasetReadiness';
import { kindOfTask, readinessFor } from '../../../core/training/submit/trainingLack';
import type { TrainingTask } from '../../../core/model/trainingTask';
import { numberText } from '../../platform/quantityText';
import { quickText } from '../../platform/quickText';
import { examplesText } from '../../platform/trainingText';

interface LabelItem extends vscode.QuickPickItem {
  readonly value: string;
}

/**
 * Asks which labels of a dataset are trained on, with how many examples each has.
 * @param chosen those that are checked at first. Throws `cancelled`, also when none is left.
 */
export async function askLabels(
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
      label: quickText(label),
      description: vscode.l10n.t('no example in this dataset'),
      picked: true,
      value: label,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    ignoreFocusOut: true,
    title,
    placeHolder:
      items.length === 0
        ? vscode.l10n.t('This dataset has no labels for this task yet')
        : vscode.l10n.t('The labels that the model learns'),
  });
  const taken = (picked ?? []).map(({ value }) => value);
  if (taken.length === 0) throw cancelled();
  return taken;
}

function labelItem(
  { label, count, missing }: LabelCount,
  task: TrainingTask,
  picked: boolean,
): LabelItem {
  return {
    label: quickText(label),
    description: examplesText(count, kindOfTask(task)),
    ...(missing > 0 && {
      detail: vscode.l10n.t('{0} more are needed to learn it well', numberText(missing)),
    }),
    picked,
    value: label,
  };
}
