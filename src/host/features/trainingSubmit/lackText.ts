import * as vscode from 'vscode';
import type { TrainingLack } from '../../../core/training/submit/trainingLack';
import type { TrainingTask } from '../../../core/model/trainingTask';
import { namesText } from '../../platform/listText';
import { numberText } from '../../platform/quantityText';

/** What a dataset lacks for a task, in a sentence that says what to add. */
export function lackText(lack: TrainingLack, task: TrainingTask): string {
  switch (lack.kind) {
    case 'images':
      return vscode.l10n.t('{0} more images are needed.', numberText(lack.missing));
    case 'labelled':
      return task === 'objectDetection'
        ? vscode.l10n.t('Draw boxes on {0} more images.', numberText(lack.missing))
        : vscode.l10n.t('Tag {0} more images.', numberText(lack.missing));
    case 'examples':
      return vscode.l10n.t(
        'Labels with too few examples: {0}.',
        namesText(lack.labels.map(({ label, count }) => `${label} (${numberText(count)})`)),
      );
    case 'oneLabel':
      return vscode.l10n.t('One label alone is nothing to choose from: train with two at least.');
  }
}

/** All that is lacking, in one line; empty when nothing is. */
export function lacksText(lacks: readonly TrainingLack[], task: TrainingTask): string {
  return lacks.map((lack) => lackText(lack, task)).join(' ');
}
