import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { leavesFolder } from './leavesFolder';

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
