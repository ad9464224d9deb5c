import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { displayName } from '../../../core/model/displayText';
import type { Organization } from '../../../core/model/entities';
import type { TrainingJobId } from '../../../core/model/ids';
import type { OrganizationTarget, TrainingJobTarget } from '../../../core/model/resourceTarget';
import type { TrainingJob } from '../../../core/model/trainingJob';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { escapeIcons, formatDateTime } from '../../platform/text/displayText';
import { onlyOrganization } from '../../platform/prompts/onlyOrganization';
import { pickOne } from '../../platform/prompts/prompts';
import { requireRight } from '../../platform/permissions/requireRight';
import { formatTrainingStatus, trainingName } from '../../platform/text/trainingText';

/** Criteria and messages for selecting a job if a command has no target. */
interface JobPickOptions {
  readonly title: string;
  readonly placeholder: string;
  readonly fits: (job: TrainingJob) => boolean;
  /**
   * Returns the message for an organization without matching jobs.
   * @param organization name of the organization
   */
  readonly none: (organization: string) => string;
}

/** Active panel with an organization's jobs. */
export interface JobPanel {
  readonly target: OrganizationTarget;
  readonly selectedJob: TrainingJob | undefined;
}

/** Training job and its organization. */
interface ChosenJob {
  readonly job: TrainingJob;
  readonly organization: Organization;
  readonly stores: FleetStores;
}

/**
 * Returns the current state of the job from a command's target or of the job selected in a panel.
 * Prompts for a job if there is neither or if the selected job doesn't meet the criteria. Throws
 * `permission` if the key isn't an owner of the organization, and `canceled`. If there is no
 * matching job, notifies the user and also throws `canceled`.
 */
export async function chooseJob(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  argument: TrainingJobTarget | JobPanel | undefined,
  question: JobPickOptions,
): Promise<ChosenJob> {
  const [scope, id] = isPanel(argument)
    ? [argument.target, getFittingJob(argument, question)]
    : [argument ?? (await onlyOrganization({ sessions, pickTarget })), argument?.jobId];
  const stores = sessions.stores(scope.connectionId);
  const organization = await stores.organizations.get(scope.organizationId);
  const target: OrganizationTarget = {
    kind: 'organization',
    connectionId: scope.connectionId,
    organizationId: scope.organizationId,
    name: organization.name,
  };
  await requireRight(stores, target, 'train');
  const job =
    id === undefined
      ? await pickJob(stores, organization, question)
      : await stores.training.get(id);
  return { job, organization, stores };
}

function isPanel(value: TrainingJobTarget | JobPanel | undefined): value is JobPanel {
  return value !== undefined && 'target' in value;
}

function getFittingJob(
  { selectedJob }: JobPanel,
  { fits }: JobPickOptions,
): TrainingJobId | undefined {
  return selectedJob && fits(selectedJob) ? selectedJob.id : undefined;
}

async function pickJob(
  { training }: FleetStores,
  organization: Organization,
  { title, placeholder, fits, none }: JobPickOptions,
): Promise<TrainingJob> {
  const jobs = (await training.list(organization.id, { fresh: true })).filter(fits);
  if (jobs.length === 0) {
    // A message without buttons closes automatically and requires no action from the user.
    void vscode.window.showInformationMessage(none(displayName(organization)));
    throw canceled();
  }
  const { job } = await pickOne(jobs.map(jobItem), { title, placeholder });
  return job;
}

function jobItem(job: TrainingJob): vscode.QuickPickItem & { readonly job: TrainingJob } {
  const { status, createdAt, id } = job;
  const submitted = createdAt && formatDateTime(createdAt);
  return {
    job,
    label: escapeIcons(trainingName(job)),
    description: formatTrainingStatus(status),
    detail: [submitted, id].filter((text) => text !== undefined).join(' · '),
  };
}
