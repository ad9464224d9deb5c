import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file for reading without following a link or waiting for a pipe, on systems that support
 * this. On other systems, the flags for this are 0.
 * @throws file system errors; `ELOOP` for a link
 */
export function openPlain(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}
