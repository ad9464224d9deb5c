import * as vscode from 'vscode';
import { toDisplayText, withoutLinks } from '../../../../core/model/toDisplayText';
import type { ConnectionId } from '../../../../core/model/ids';
import { trainingJobTarget } from '../../../../core/model/trainingJobTarget';
import type { TrainingJob } from '../../../../core/model/trainingJob';
import type { FleetTools } from '../../../platform/fleetTools';
import { trainingName } from '../../../platform/trainingText';
import { showModel } from '../showModel';

/** Maximum length of reasons; the panel shows the full text. */
const MAX_REASON_LENGTH = 300;

/** Notifies the user that a job has finished, with links to the job and its model. */
export async function notifyJobCompletion(
  tools: Pick<FleetTools, 'commands' | 'sessions'>,
  connectionId: ConnectionId,
  job: TrainingJob,
): Promise<void> {
  const show = vscode.l10n.t('Show Training');
  const model = vscode.l10n.t('Show Model');
  const chosen = await message(job, show, model);
  if (chosen === show) {
    await tools.commands.execute('fleetwright.training.show', trainingJobTarget(connectionId, job));
  } else if (chosen === model) await showModel(tools, connectionId, job);
}

function message(job: TrainingJob, show: string, model: string): Thenable<string | undefined> {
  const name = trainingName(job);
  const { window, l10n } = vscode;
  switch (job.status) {
    case 'completed':
      return window.showInformationMessage(
        l10n.t('Training of "{0}" is complete.', name),
        ...[model, show],
      );
    case 'failed': {
      const reason = withoutLinks(toDisplayText(job.error ?? '', MAX_REASON_LENGTH));
      return window.showErrorMessage(l10n.t('Training of "{0}" failed. {1}', name, reason), show);
    }
    case 'canceled':
      return window.showInformationMessage(l10n.t('Training of "{0}" was canceled.', name), show);
    default:
      return window.showInformationMessage(l10n.t('Training of "{0}" has finished.', name), show);
  }
}
