import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { NamedFileFacts, NamedFileState } from '../core/modules/buildFacts';
import { insidePath } from '../core/modules/manifest/manifestPath';
import { codeOf } from './fileErrors';
import { leavesFolder } from './leavesFolder';
import { programAt } from './programAt';

const ANY_EXECUTE = 0o111;
const MOST_CANDIDATES = 5;

/**
 * What stands at one path of a folder, without looking at the rest of it.
 * @param path relative to the folder; one that leads out of it is told as such and not looked at
 * @throws what the file system says, but not that nothing is there
 */
export async function lookAtFile(folder: string, path: string): Promise<NamedFileFacts> {
  const state = await stateOf(folder, path);
  const file = insidePath(path) ?? '';
  const isFile = state === 'ok' || state === 'notExecutable';
  const program = isFile ? await programAt(join(folder, file)) : undefined;
  const platform = program?.kind === 'program' ? program.platform : undefined;
  const candidates = state === 'missing' ? await namesakes(folder, file) : [];
  return { path, state, program, platform, candidates };
}

async function stateOf(folder: string, path: string): Promise<NamedFileState> {
  const file = insidePath(path);
  if (file === undefined) return 'outside';
  const place = join(folder, file);
  try {
    if (leavesFolder(relative(await realpath(folder), await realpath(place)))) return 'outside';
    const stats = await stat(place);
    if (stats.isDirectory()) return 'directory';
    // Opening anything else, such as a pipe, would wait for anyone who writes into it.
    if (!stats.isFile()) return 'notFile';
    const isExecutable = process.platform === 'win32' || (stats.mode & ANY_EXECUTE) !== 0;
    return isExecutable ? 'ok' : 'notExecutable';
  } catch (error) {
    const state = STATES[codeOf(error) ?? ''];
    if (state === undefined) throw error;
    return state === 'missing' && (await wouldBeOutside(folder, file)) ? 'outside' : state;
  }
}

/** Whether the innermost folder that is there, of those that a file is to be in, is one behind a link. */
async function wouldBeOutside(folder: string, file: string): Promise<boolean> {
  for (let way = dirname(file); way !== '.'; way = dirname(way)) {
    const real = await realpath(join(folder, way)).catch(() => undefined);
    if (real !== undefined) return leavesFolder(relative(await realpath(folder), real));
  }
  return false;
}

/** What failures say of a place: ENOTDIR where a file stands in the way, ELOOP of links. */
const STATES: Readonly<Record<string, NamedFileState>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'missing',
  ELOOP: 'notFile',
};

/** Files beside where one was to be that differ from it only in their ending or the case of letters. */
async function namesakes(folder: string, file: string): Promise<readonly string[]> {
  const wanted = stemOf(file);
  const beside = dirname(file);
  const entries = await readdir(join(folder, beside), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && stemOf(entry.name) === wanted)
    .map(({ name }) => (beside === '.' ? name : `${beside}/${name}`))
    .sort()
    .slice(0, MOST_CANDIDATES);
}

function stemOf(path: string): string {
  return basename(path)
    .replace(/(?<=.)\..*$/, '')
    .toLowerCase();
}
