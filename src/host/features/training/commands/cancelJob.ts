import * as vscode from 'vscode';
import type { TrainingJobTarget } from '../../../../core/model/resourceTarget';
import { isInProgress } from '../../../../core/model/trainingJob';
import { formatOwner } from '../../../platform/formatOwner';
import type { FleetTools } from '../../../platform/fleetTools';
import { confirm } from '../../../platform/prompts/prompts';
import { trainingName } from '../../../platform/text/trainingText';
import { chooseJob, type JobPanel } from '../chooseJob';

/** Cancels a waiting or running job after a confirmation. The job's training progress is lost. */
export async function cancelJob(
  tools: FleetTools,
  given: TrainingJobTarget | undefined,
  panel?: JobPanel,
): Promise<void> {
  const { job, organization, stores } = await chooseJob(tools, given ?? panel, {
    title: vscode.l10n.t('Cancel Training Job'),
    placeholder: vscode.l10n.t('Select the training job to cancel'),
    fits: (one) => isInProgress(one) && one.status !== 'canceling',
    none: (name) => vscode.l10n.t('No training jobs for "{0}" are queued or running.', name),
  });
  await confirm(
    vscode.l10n.t('Cancel the training of "{0}"?', trainingName(job)),
    [
      formatOwner(organization),
      vscode.l10n.t('Training progress is lost. The job stays in the list.'),
    ].join(' '),
    vscode.l10n.t('Stop Training'),
  );
  await stores.training.cancel(job);
}
