import { FleetError } from '../../api/errors';

/**
 * Error thrown when the folder of a download can't be written, because the disk is full or the
 * folder is read-only or was deleted.
 */
export class FolderFailure extends FleetError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}
