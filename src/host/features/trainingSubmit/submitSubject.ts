import type { ConnectionId, OrganizationId, TrainingJobId } from '../../../core/model/ids';
import {
  type DatasetTarget,
  isTargetOf,
  type OrganizationTarget,
  type RegistryItemTarget,
} from '../../../core/model/resourceTarget';

/** Starting point of a submission, with the data that it provides. */
export interface SubmitSubject {
  readonly connectionId?: ConnectionId | undefined;
  readonly organizationId?: OrganizationId | undefined;
  readonly dataset?: DatasetTarget | undefined;
  /** Job that is being resubmitted. */
  readonly job?: TrainingJobId | undefined;
  /** Training script, or model for which a new version is trained. */
  readonly item?: RegistryItemTarget | undefined;
}

/** Parses a command's arguments. They can come from menus, panels, or other commands. */
export function submitSubject(given: object | undefined): SubmitSubject {
  if (given === undefined || !('connectionId' in given) || !('organizationId' in given)) return {};
  const { connectionId, organizationId } = given as OrganizationTarget;
  const scope = { connectionId, organizationId };
  if (isTargetOf('trainingJob', given)) return { ...scope, job: given.jobId };
  if (isTargetOf('dataset', given)) return { ...scope, dataset: given };
  if (isTargetOf('registryItem', given)) return { ...scope, item: given };
  return scope;
}
