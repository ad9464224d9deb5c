import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { GeneratedFile } from '../../../core/modules/generate/moduleFiles';

const FOLDER_MODE = 0o755;
const SCRIPT_MODE = 0o755;
const FILE_MODE = 0o644;
/** What renaming a folder onto one with something in it, or onto a file, fails with. */
const OCCUPIED: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM']);

/**
 * Makes a folder with files, all of them or none: they are written beside it first.
 *
 * @throws FleetError `conflict` when there is something already, `invalid` when it cannot be written
 */
export async function writeFolder(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  let beside: string | undefined;
  try {
    beside = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
    for (const file of files) await write(beside, file);
    await chmod(beside, FOLDER_MODE);
    await rename(beside, folder);
  } catch (cause) {
    if (beside !== undefined) await rm(beside, { recursive: true, force: true });
    throw failure(folder, cause);
  }
}

async function write(folder: string, { path, text, isExecutable }: GeneratedFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
  await writeFile(file, text, { flag: 'wx' });
  await chmod(file, isExecutable ? SCRIPT_MODE : FILE_MODE);
}

function failure(folder: string, cause: unknown): FleetError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return OCCUPIED.has(code)
    ? new FleetError(
        'conflict',
        vscode.l10n.t(
          '{0} is there already, and nothing was written. Choose another name or folder.',
          folder,
        ),
        { cause },
      )
    : new FleetError(
        'invalid',
        vscode.l10n.t(
          '{0} could not be made: {1}',
          folder,
          cause instanceof Error ? cause.message : String(cause),
        ),
        { cause },
      );
}
