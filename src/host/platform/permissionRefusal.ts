import { FleetError } from '../../core/api/errors';
import type { ResourceTarget } from '../../core/model/resourceTarget';

/** The key lacks a role for what a command was to do with a resource, which can be explained. */
export class PermissionRefusal extends FleetError {
  constructor(
    message: string,
    readonly target: ResourceTarget,
  ) {
    super('permission', message);
  }
}
