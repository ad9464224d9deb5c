import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { leavesFolder } from './leavesFolder';

/**
 * Returns the real path when links lead it out of a folder. The caller has already checked the path
 * itself. Undefined for a path in the folder and for a missing file.
 * @param path absolute, like the folder
 */
export async function resolveEscape(folder: string, path: string): Promise<string | undefined> {
  const [root, real] = await Promise.all([folder, path].map((one) => realpath(one))).catch(
    () => [],
  );
  if (root === undefined || real === undefined) return undefined;
  return leavesFolder(relative(root, real)) ? real : undefined;
}
