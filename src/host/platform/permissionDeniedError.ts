import { FleetError } from '../../core/api/errors';
import type { ResourceTarget } from '../../core/model/resourceTarget';

/** Error for a missing role of the key. The user can request an explanation. */
export class PermissionDeniedError extends FleetError {
  constructor(
    message: string,
    readonly target: ResourceTarget,
  ) {
    super('permission', message);
  }
}
