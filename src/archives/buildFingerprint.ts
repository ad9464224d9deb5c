import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FolderEntry } from './folderEntries';

/**
 * Returns the fingerprint of an archive, which distinguishes it from any other archive at the same
 * path.
 */
export function archiveFingerprint({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${String(size)} ${String(mtimeMs)}`;
}

/**
 * Computes the fingerprint of a folder from its entries in order. The fingerprint distinguishes the
 * folder from any other folder at the same path.
 */
export class FolderFingerprint {
  private readonly hash = createHash('sha256');

  add({ path, type, size, mode, mtime, target }: FolderEntry): void {
    // Exclude the modification time of folders, because adding an ignored file changes it.
    const writtenAt = type === 'folder' ? undefined : mtime;
    this.hash.update(`${JSON.stringify([path, type, size, mode, writtenAt, target])}\n`);
  }

  /** Returns the fingerprint. Must be called once, after all entries were added. */
  value(): string {
    return this.hash.digest('hex');
  }
}
