import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder for results that clients haven't fetched yet. */
export interface CursorFolder {
  path: string;
  /** Removes the folder and its contents. */
  close(): Promise<void>;
}

const OWNER_ONLY_DIRECTORY = 0o700;
const TEMPORARY_PREFIX = 'fleetwright-cursors-';

/**
 * Opens an empty folder. Results of an earlier process are deleted, because clients can no longer
 * fetch them.
 * @param path if absent, creates a temporary folder.
 */
export async function openCursorFolder(path: string | undefined): Promise<CursorFolder> {
  const folder = path ?? (await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)));
  if (path !== undefined) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  }
  return { path: folder, close: () => rm(folder, { recursive: true, force: true }) };
}
