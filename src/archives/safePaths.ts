import { isAbsolute, relative, sep } from 'node:path';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { constants } from 'node:fs';
import { getErrorCode } from '../base/errorCode';

/**
 * Returns true if a path, as returned by `relative`, leads out of its folder or, on Windows, to
 * another drive.
 */
export function leavesFolder(relativePath: string): boolean {
  return relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
}

/**
 * Returns the real path of a file if symbolic links lead it out of a folder. Returns undefined if
 * the file is in the folder or doesn't exist. The caller has already checked the path itself.
 * @param path absolute, like the folder
 */
export async function resolveEscape(folder: string, path: string): Promise<string | undefined> {
  const [root, real] = await Promise.all([folder, path].map((one) => realpath(one))).catch(
    () => [],
  );
  if (root === undefined || real === undefined) return undefined;
  return leavesFolder(relative(root, real)) ? real : undefined;
}

/**
 * Opens a file for reading without following a link or waiting for a pipe, on systems that support
 * this. On other systems, the corresponding flags are 0.
 * @throws file system errors; `ELOOP` for a link
 */
export function openPlain(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

export function isMissing(error: unknown): boolean {
  return getErrorCode(error) === 'ENOENT';
}
