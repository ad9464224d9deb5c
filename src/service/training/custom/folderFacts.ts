import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { getErrorCode } from '../../../archives/fileErrors';

export interface FolderFacts {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Returns information about the contents of a folder and its subfolders. Doesn't follow links.
 * Ignores files that are deleted in the meantime.
 */
export async function folderFacts(folder: string): Promise<FolderFacts> {
  let [files, bytes] = [0, 0];
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const within = await folderFacts(path);
        files += within.files;
        bytes += within.bytes;
      } else if (entry.isFile()) {
        files += 1;
        bytes += await getDiskSize(path);
      }
    }
  } catch (error) {
    if (!isInaccessible(error)) throw error;
  }
  return { files, bytes };
}

async function getDiskSize(path: string): Promise<number> {
  try {
    const { size, blocks } = await lstat(path);
    // A sparse file occupies less space than its size, but packing the file would read all of it.
    return Math.max(size, blocks * 512);
  } catch (error) {
    if (isInaccessible(error)) return 0;
    throw error;
  }
}

/** Returns true if a file was deleted in the meantime or isn't accessible. */
function isInaccessible(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'EPERM'].includes(getErrorCode(error) ?? '');
}
