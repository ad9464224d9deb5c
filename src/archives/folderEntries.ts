import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createHash } from 'node:crypto';
import { forEachBounded } from '../base/bounded';
import type { BuildEntry } from './entryTable';
import type { IsIgnored } from './ignoreRules';

const ANY_EXECUTE = 0o111;
/** Maximum number of concurrent stat calls for the files in a folder. */
const CONCURRENT_STATS = 16;

/** An entry in a folder on this computer. */
export interface FolderEntry extends BuildEntry {
  /** Permission bits without the file type. */
  readonly mode: number;
  /** Modification time in milliseconds since 1970. */
  readonly mtime: number;
  /** Time of the last change of the contents or attributes, which programs can't set. */
  readonly changedAt: number;
}

/**
 * Yields all entries in a folder in a stable order, each subfolder before its contents. Reports
 * links but never follows them.
 * @throws file system errors, and the signal's reason.
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
    const foundEntries = paths
      .map((path) => found.get(path))
      .filter((entry) => entry !== undefined)
      .filter(({ path, type }) => !isIgnored(path, type === 'folder'));
    // Yield all entries in this folder together. Its subfolders follow one by one.
    yield* foundEntries;
    const folders = foundEntries.filter(({ type }) => type === 'folder').map(({ path }) => path);
    waiting.push(...folders.reverse());
  }
}

async function entryAt(root: string, path: string): Promise<FolderEntry> {
  const fullPath = join(root, path);
  const stats = await lstat(fullPath);
  const type = getEntryType(stats);
  return {
    path,
    type,
    size: type === 'file' ? stats.size : 0,
    // Windows has no execute permission, so every file counts as executable there.
    isExecutable: process.platform === 'win32' || (stats.mode & ANY_EXECUTE) !== 0,
    mode: stats.mode & 0o777,
    mtime: stats.mtimeMs,
    changedAt: stats.ctimeMs,
    ...(type === 'link' && { target: (await readlink(fullPath)).replaceAll(sep, '/') }),
  };
}

function getEntryType(stats: Stats): FolderEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'special';
}

/**
 * Returns the fingerprint of an archive, which changes when the archive at the path is modified or
 * replaced.
 */
export function archiveFingerprint({
  size,
  mtimeMs,
  ctimeMs,
}: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs'>): string {
  return `${String(size)} ${String(mtimeMs)} ${String(ctimeMs)}`;
}

/**
 * Computes a folder's fingerprint from its entries, in order. The fingerprint changes when the
 * folder's entries are modified or the folder is replaced.
 */
export class FolderFingerprint {
  private readonly hash = createHash('sha256');

  add({ path, type, size, mode, mtime, changedAt, target }: FolderEntry): void {
    // Exclude the times of folders, because adding an ignored file changes them.
    const times = type === 'folder' ? [] : [mtime, changedAt];
    this.hash.update(`${JSON.stringify([path, type, size, mode, times, target])}\n`);
  }

  /** Returns the fingerprint. Must be called once, after all entries were added. */
  value(): string {
    return this.hash.digest('hex');
  }
}
