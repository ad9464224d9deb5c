import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { forEachBounded } from '../base/bounded';
import type { BuildEntry } from './buildEntry';
import type { IsIgnored } from './ignoreRules';

const ANY_EXECUTE = 0o111;
/** Files of one folder are asked for together. */
const CONCURRENT_STATS = 16;

/** An entry of a folder on this machine. */
export interface FolderEntry extends BuildEntry {
  /** Permissions, without what says which kind of entry it is. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

/**
 * All entries of a folder, each folder before what is in it, always in the same order. Links are told,
 * never followed.
 * @throws what the file system says, and the signal's reason.
 */
export async function* folderEntries(
  root: string,
  isIgnored: IsIgnored,
  signal: AbortSignal,
): AsyncGenerator<FolderEntry> {
  const waiting: string[] = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted();
    const names = (await readdir(join(root, folder))).sort();
    const paths = names.map((name) => (folder === '' ? name : `${folder}/${name}`));
    const found = new Map<string, FolderEntry>();
    await forEachBounded(paths, CONCURRENT_STATS, async (path) => {
      found.set(path, await entryAt(root, path));
    });
    const kept = paths
      .map((path) => found.get(path))
      .filter((entry) => entry !== undefined)
      .filter(({ path, type }) => !isIgnored(path, type === 'folder'));
    // All of a folder stands together; folders in it follow one after the other.
    yield* kept;
    const folders = kept.filter(({ type }) => type === 'folder').map(({ path }) => path);
    waiting.push(...folders.reverse());
  }
}

async function entryAt(root: string, path: string): Promise<FolderEntry> {
  const place = join(root, path);
  const stats = await lstat(place);
  const type = typeOf(stats);
  return {
    path,
    type,
    size: type === 'file' ? stats.size : 0,
    // Windows keeps no such permission: there, everything can be run.
    isExecutable: process.platform === 'win32' || (stats.mode & ANY_EXECUTE) !== 0,
    mode: stats.mode & 0o777,
    mtime: stats.mtimeMs,
    ...(type === 'link' && { target: (await readlink(place)).replaceAll(sep, '/') }),
  };
}

function typeOf(stats: Stats): FolderEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'special';
}
