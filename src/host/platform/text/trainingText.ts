import * as vscode from 'vscode';
import type { TrainingKind } from '../../../core/data/datasets/datasetReadiness';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { TrainingJob } from '../../../core/model/trainingJob';
import { formatNumber } from './displayText';

/** Returns a training job's name, which consists of its model and version. */
export function trainingName({
  modelName,
  modelVersion,
  id,
}: Pick<TrainingJob, 'id' | 'modelName' | 'modelVersion'>): string {
  return `${displayName({ name: modelName, id })} ${toDisplayText(modelVersion)}`.trim();
}

/** Returns the label of a job's status, or the number of an unknown status. */
export function formatTrainingStatus(status: TrainingJob['status']): string {
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
      return vscode.l10n.t('Status {0}', formatNumber(status));
  }
}

/** Formats a number of images. */
export function formatImageCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 image') : vscode.l10n.t('{0} images', formatNumber(count));
}

/** Formats the number of examples for a label: boxes, or images with the label. */
export function formatExampleCount(count: number, kind: TrainingKind): string {
  if (kind === 'classification') return formatImageCount(count);
  return count === 1 ? vscode.l10n.t('1 box') : vscode.l10n.t('{0} boxes', formatNumber(count));
}
