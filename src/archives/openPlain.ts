import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file to be read: a link in its place is not followed, and a pipe not waited for, where systems
 * can tell. Elsewhere these flags are 0.
 * @throws what the file system says, `ELOOP` of a link
 */
export function openPlain(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}
