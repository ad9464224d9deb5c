import {
  type ConnectionId,
  type OrganizationId,
  type TrainingJobId,
  trainingJobId,
} from '../../../core/model/ids';
import type {
  DatasetTarget,
  OrganizationTarget,
  RegistryItemTarget,
} from '../../../core/model/resourceTarget';

/** What a submission was begun from: as much as is said already. */
export interface SubmitSubject {
  readonly connectionId?: ConnectionId | undefined;
  readonly organizationId?: OrganizationId | undefined;
  readonly dataset?: DatasetTarget | undefined;
  /** A job that is submitted again. */
  readonly job?: TrainingJobId | undefined;
  /** A training script, or a model that gets another version. */
  readonly item?: RegistryItemTarget | undefined;
}

interface JobTarget {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly jobId: string;
}

/** Sorts out what menus, panels and other commands hand over. */
export function submitSubject(given: object | undefined): SubmitSubject {
  if (given === undefined || !('connectionId' in given) || !('organizationId' in given)) return {};
  const { connectionId, organizationId } = given as OrganizationTarget;
  const place = { connectionId, organizationId };
  if (isJob(given)) return { ...place, job: trainingJobId(given.jobId) };
  if (isOfKind<DatasetTarget>(given, 'dataset')) return { ...place, dataset: given };
  if (isOfKind<RegistryItemTarget>(given, 'registryItem')) return { ...place, item: given };
  return place;
}

function isJob(given: object): given is JobTarget {
  return 'jobId' in given && typeof given.jobId === 'string';
}

function isOfKind<Target extends { readonly kind: string }>(
  given: object,
  kind: Target['kind'],
): given is Target {
  return 'kind' in given && given.kind === kind;
}
