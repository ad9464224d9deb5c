import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { getErrorCode } from '../base/errorCode';
import type { NamedFileFacts, NamedFileState } from '../core/modules/buildFacts';
import { insidePath } from '../core/modules/manifest/manifestPath';
import { leavesFolder } from './safePaths';
import { HEAD_BYTES, readProgramHead } from '../core/modules/binaryPlatform';
import type { ProgramHead } from '../core/modules/programHead';

const ANY_EXECUTE = 0o111;
const MAX_CANDIDATES = 5;

/**
 * Inspects one path in a folder without inspecting the rest of the folder.
 * @param path path relative to the folder; a path that leads out of the folder is reported but not
 *   inspected
 * @throws file system errors, except for a missing file
 */
export async function inspectFile(folder: string, path: string): Promise<NamedFileFacts> {
  const state = await getFileState(folder, path);
  const file = insidePath(path) ?? '';
  const isFile = state === 'ok' || state === 'notExecutable';
  const program = isFile ? await programAt(join(folder, file)) : undefined;
  const platform = program?.kind === 'program' ? program.platform : undefined;
  const candidates = state === 'missing' ? await namesakes(folder, file) : [];
  return { path, state, program, platform, candidates };
}

async function getFileState(folder: string, path: string): Promise<NamedFileState> {
  const file = insidePath(path);
  if (file === undefined) return 'outside';
  const fullPath = join(folder, file);
  try {
    if (leavesFolder(relative(await realpath(folder), await realpath(fullPath)))) return 'outside';
    const stats = await stat(fullPath);
    if (stats.isDirectory()) return 'directory';
    // Opening other kinds of files, such as pipes, would block until something writes to them.
    if (!stats.isFile()) return 'notFile';
    const isExecutable = process.platform === 'win32' || (stats.mode & ANY_EXECUTE) !== 0;
    return isExecutable ? 'ok' : 'notExecutable';
  } catch (error) {
    const state = STATES[getErrorCode(error) ?? ''];
    if (state === undefined) throw error;
    return state === 'missing' && (await wouldBeOutside(folder, file)) ? 'outside' : state;
  }
}

/**
 * Returns true if links in a file's path lead out of the folder. Checks the innermost parent folder
 * that exists.
 */
async function wouldBeOutside(folder: string, file: string): Promise<boolean> {
  for (let parent = dirname(file); parent !== '.'; parent = dirname(parent)) {
    const real = await realpath(join(folder, parent)).catch(() => undefined);
    if (real !== undefined) return leavesFolder(relative(await realpath(folder), real));
  }
  return false;
}

/**
 * States by error code. `ENOTDIR` occurs if a parent folder is actually a file, `ELOOP` for links.
 */
const STATES: Readonly<Record<string, NamedFileState>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'missing',
  ELOOP: 'notFile',
};

/**
 * Finds files in the same folder whose names differ from the expected name only in extension or
 * case.
 */
async function namesakes(folder: string, file: string): Promise<readonly string[]> {
  const stem = getFileStem(file);
  const parentFolder = dirname(file);
  const entries = await readdir(join(folder, parentFolder), { withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile() && getFileStem(entry.name) === stem)
    .map(({ name }) => (parentFolder === '.' ? name : `${parentFolder}/${name}`))
    .sort()
    .slice(0, MAX_CANDIDATES);
}

function getFileStem(path: string): string {
  return basename(path)
    .replace(/(?<=.)\..*$/, '')
    .toLowerCase();
}

/**
 * Reads the head of the program at a path. Returns undefined for an unreadable file, because
 * packing the build reports it.
 */
export async function programAt(path: string): Promise<ProgramHead | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return readProgramHead(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
