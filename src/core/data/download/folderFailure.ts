import { FleetError } from '../../api/errors';

/** The folder of a download takes nothing more: a full disk, a folder that is gone or may not be written. */
export class FolderFailure extends FleetError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}
