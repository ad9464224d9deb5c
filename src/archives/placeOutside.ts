import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { leavesFolder } from './leavesFolder';

/**
 * Where a path really leads, when that is outside of a folder: through links, as the path itself was
 * looked at before. Undefined for what is in the folder, and for what is not there.
 * @param path absolute, as is the folder
 */
export async function placeOutside(folder: string, path: string): Promise<string | undefined> {
  const [root, real] = await Promise.all([folder, path].map((one) => realpath(one))).catch(
    () => [],
  );
  if (root === undefined || real === undefined) return undefined;
  return leavesFolder(relative(root, real)) ? real : undefined;
}
