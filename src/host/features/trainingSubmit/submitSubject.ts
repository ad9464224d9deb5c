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
export function submitSubject(argument: object | undefined): SubmitSubject {
  if (argument === undefined || !('connectionId' in argument) || !('organizationId' in argument)) {
    return {};
  }

  const { connectionId, organizationId } = argument as OrganizationTarget;
  const scope = { connectionId, organizationId };
  if (isTargetOf('trainingJob', argument)) return { ...scope, job: argument.jobId };

  if (isTargetOf('dataset', argument)) return { ...scope, dataset: argument };

  if (isTargetOf('registryItem', argument)) return { ...scope, item: argument };

  return scope;
}
