import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../archives/fileErrors';

export interface FolderFacts {
  readonly files: number;
  readonly bytes: number;
}

/** What is in a folder and in those within. Links are not followed; what vanishes in the meantime is not there. */
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
        bytes += await sizeOf(path);
      }
    }
  } catch (error) {
    if (!isPassedOver(error)) throw error;
  }
  return { files, bytes };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const { size, blocks } = await lstat(path);
    // A file with holes takes less than its size says; packing it would read all of it.
    return Math.max(size, blocks * 512);
  } catch (error) {
    if (isPassedOver(error)) return 0;
    throw error;
  }
}

/** Gone in the meantime, or closed to us. */
function isPassedOver(error: unknown): boolean {
  return ['ENOENT', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}
