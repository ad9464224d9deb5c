import * as vscode from 'vscode';
import { confirmTrainingCancellation } from '../../../core/confirmations/confirmation';
import type { TrainingJobTarget } from '../../../core/model/resourceTarget';
import { isInProgress, mightHaveEnded, type TrainingJob } from '../../../core/model/trainingJob';
import type { FleetTools } from '../../platform/fleetTools';
import { confirmChange } from '../../platform/prompts/prompts';
import { chooseJob, type JobPanel } from './chooseJob';
import { displayName } from '../../../core/model/displayText';
import { confirmDeletion } from '../../platform/prompts/confirmDeletion';

/**
 * Cancels a waiting or running job after the user confirms. The job's training progress is lost.
 */
export async function cancelJob(
  tools: FleetTools,
  requestedTarget: TrainingJobTarget | undefined,
  panel?: JobPanel,
): Promise<void> {
  const { job, organization, stores } = await chooseJob(tools, requestedTarget ?? panel, {
    title: vscode.l10n.t('Cancel Training Job'),
    placeholder: vscode.l10n.t('Select the training job to cancel'),
    fits: (one) => isInProgress(one) && one.status !== 'canceling',
    none: (name) => vscode.l10n.t('No training jobs for "{0}" are queued or running.', name),
  });
  await confirmChange(confirmTrainingCancellation(job, organization, vscode.l10n));
  await stores.training.cancel(job);
}

/**
 * Deletes the record and log of a finished job, but not its model, after the user types its name.
 */
export async function deleteJob(
  tools: FleetTools,
  requestedTarget: TrainingJobTarget | undefined,
  panel?: JobPanel,
): Promise<void> {
  const { job, organization, stores } = await chooseJob(tools, requestedTarget ?? panel, {
    title: vscode.l10n.t('Delete Training Job'),
    placeholder: vscode.l10n.t('Select the training job to delete'),
    fits: mightHaveEnded,
    none: (name) => vscode.l10n.t('No training jobs of "{0}" have finished.', name),
  });
  await confirmDeletion({
    title: vscode.l10n.t('Delete Training Job'),
    name: job.modelName,
    id: job.id,
    organization,
    consequences: [consequence(job)],
  });
  await stores.training.delete(job);
}

function consequence(job: TrainingJob): string {
  const version = `${displayName({ name: job.modelName, id: job.id })} ${job.modelVersion}`;
  return job.status === 'completed'
    ? vscode.l10n.t('This also deletes its record and log. The model {0} is not deleted.', version)
    : vscode.l10n.t('This also deletes its record and log.');
}
