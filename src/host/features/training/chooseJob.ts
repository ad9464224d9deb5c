import * as vscode from 'vscode';
import { canceled } from '../../../core/api/errors';
import { displayName } from '../../../core/model/toDisplayText';
import type { Organization } from '../../../core/model/entities';
import type { OrganizationTarget, TrainingJobTarget } from '../../../core/model/resourceTarget';
import type { TrainingJob } from '../../../core/model/trainingJob';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { FleetTools } from '../../platform/fleetTools';
import { formatDateTime } from '../../platform/formatDateTime';
import { onlyOrganization } from '../../platform/onlyOrganization';
import { pickOne } from '../../platform/prompts';
import { escapeIcons } from '../../platform/toQuickPickText';
import { requireRight } from '../../platform/requireRight';
import { trainingName, formatTrainingStatus } from '../../platform/trainingText';

/** Criteria and texts for selecting a job, for a command without a target. */
interface JobQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly fits: (job: TrainingJob) => boolean;
  /**
   * Returns the message that an organization has no matching job.
   * @param organization name of the organization
   */
  readonly none: (organization: string) => string;
}

/** Training job and its organization. */
interface ChosenJob {
  readonly job: TrainingJob;
  readonly organization: Organization;
  readonly stores: FleetStores;
}

/**
 * Returns the current state of a command's job, or prompts for a job. Throws `permission` if the
 * key isn't an owner of the organization, and `canceled`. If there is no matching job, reports that
 * in a message and also throws `canceled`.
 */
export async function chooseJob(
  { sessions, pickTarget }: Pick<FleetTools, 'sessions' | 'pickTarget'>,
  given: TrainingJobTarget | undefined,
  question: JobQuestion,
): Promise<ChosenJob> {
  const place = given ?? (await onlyOrganization({ sessions, pickTarget }));
  const stores = sessions.stores(place.connectionId);
  const organization = await stores.organizations.get(place.organizationId);
  const target: OrganizationTarget = {
    ...{ kind: 'organization', connectionId: place.connectionId },
    ...{ organizationId: place.organizationId, name: organization.name },
  };
  await requireRight(stores, target, 'train');
  const job = given
    ? await stores.training.get(given.jobId)
    : await pickJob(stores, organization, question);
  return { job, organization, stores };
}

async function pickJob(
  { training }: FleetStores,
  organization: Organization,
  { title, placeholder, fits, none }: JobQuestion,
): Promise<TrainingJob> {
  const jobs = (await training.list(organization.id, { fresh: true })).filter(fits);
  if (jobs.length === 0) {
    // A message without buttons closes by itself; it requires no action from the user.
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
