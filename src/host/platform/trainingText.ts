import * as vscode from 'vscode';
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
