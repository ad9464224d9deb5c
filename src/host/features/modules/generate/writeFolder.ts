import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { getErrorCode } from '../../../../base/errorCode';
import type { GeneratedFile } from '../../../../core/modules/generate/moduleFiles';

const FOLDER_MODE = 0o755;
const SCRIPT_MODE = 0o755;
const FILE_MODE = 0o644;
/** Error codes from renaming a folder to the path of a file or a nonempty folder. */
const OCCUPIED: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM']);

/**
 * Creates a folder with all of its files atomically: the files are first written to a temporary
 * sibling folder. Uses an existing empty folder, but doesn't change a nonempty one.
 *
 * @returns true if the folder didn't exist or was empty. Throws file system errors if it can't be
 *   written.
 */
export async function writeFolder(
  folder: string,
  files: readonly GeneratedFile[],
): Promise<boolean> {
  const temporary = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    for (const file of files) await write(temporary, file);
    await chmod(temporary, FOLDER_MODE);
    return await put(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function write(folder: string, { path, text, isExecutable }: GeneratedFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: 'wx' });
  await chmod(file, isExecutable ? SCRIPT_MODE : FILE_MODE);
}

/** @returns true if `to` didn't exist or was an empty folder. */
async function put(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (OCCUPIED.has(getErrorCode(error))) return false;
    throw error;
  }
}
