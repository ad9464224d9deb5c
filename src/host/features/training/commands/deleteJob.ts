import * as vscode from 'vscode';
import { displayName } from '../../../../core/model/displayText';
import type { TrainingJobTarget } from '../../../../core/model/resourceTarget';
import { mayHaveEnded, type TrainingJob } from '../../../../core/model/trainingJob';
import { confirmDeletion } from '../../../platform/prompts/confirmDeletion';
import type { FleetTools } from '../../../platform/fleetTools';
import { chooseJob, type JobPanel } from '../chooseJob';

/**
 * Deletes the record and log of a finished job, but not its model, after the user has typed its
 * name.
 */
export async function deleteJob(
  tools: FleetTools,
  given: TrainingJobTarget | undefined,
  panel?: JobPanel,
): Promise<void> {
  const { job, organization, stores } = await chooseJob(tools, given ?? panel, {
    title: vscode.l10n.t('Delete Training Job'),
    placeholder: vscode.l10n.t('Select the training job to delete'),
    fits: mayHaveEnded,
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
