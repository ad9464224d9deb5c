import type { ConnectionId, OrganizationId, TrainingJobId } from '../../../core/model/ids';
import { isTargetOf } from '../../../core/model/isTargetOf';
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

/** Sorts out what menus, panels and other commands hand over. */
export function submitSubject(given: object | undefined): SubmitSubject {
  if (given === undefined || !('connectionId' in given) || !('organizationId' in given)) return {};
  const { connectionId, organizationId } = given as OrganizationTarget;
  const place = { connectionId, organizationId };
  if (isTargetOf('trainingJob', given)) return { ...place, job: given.jobId };
  if (isTargetOf('dataset', given)) return { ...place, dataset: given };
  if (isTargetOf('registryItem', given)) return { ...place, item: given };
  return place;
}
