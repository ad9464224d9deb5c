import { FleetError } from '../../api/errors';

/**
 * Error thrown when the folder of a download can't be written: a full disk, or a folder that was
 * deleted or is read-only.
 */
export class FolderFailure extends FleetError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}
