import * as vscode from 'vscode';
import type { TrainingKind } from '../../core/data/datasets/trainingLabels';
import { displayName, displayText } from '../../core/model/displayText';
import type { TrainingJob } from '../../core/model/trainingJob';
import { numberText } from './quantityText';

/** How a training job is called, after what it makes: the model and its version. */
export function trainingName({
  modelName,
  modelVersion,
  id,
}: Pick<TrainingJob, 'id' | 'modelName' | 'modelVersion'>): string {
  return `${displayName({ name: modelName, id })} ${displayText(modelVersion)}`.trim();
}

/** Where a job is in its life; a state that this client does not know goes by its number. */
export function trainingStatusText(status: TrainingJob['status']): string {
  switch (status) {
    case 'pending':
      return vscode.l10n.t('Pending');
    case 'inProgress':
      return vscode.l10n.t('Running');
    case 'completed':
      return vscode.l10n.t('Completed');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'canceling':
      return vscode.l10n.t('Canceling');
    case 'canceled':
      return vscode.l10n.t('Canceled');
    default:
      return vscode.l10n.t('Status {0}', numberText(status));
  }
}

/** A number of images, in words. */
export function imagesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 image') : vscode.l10n.t('{0} images', numberText(count));
}

/** How many examples there are of a label: boxes, or images that are said to have it. */
export function examplesText(count: number, kind: TrainingKind): string {
  if (kind === 'classification') return imagesText(count);
  return count === 1 ? vscode.l10n.t('1 box') : vscode.l10n.t('{0} boxes', numberText(count));
}
