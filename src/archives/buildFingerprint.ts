import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FolderEntry } from './folderEntries';

/**
 * Returns the fingerprint of an archive, which distinguishes it from another one at the same path.
 */
export function archiveFingerprint({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${String(size)} ${String(mtimeMs)}`;
}

/**
 * Computes the fingerprint of a folder, which distinguishes it from another one at the same path,
 * from its entries in order.
 */
export class FolderFingerprint {
  private readonly hash = createHash('sha256');

  add({ path, type, size, mode, mtime, target }: FolderEntry): void {
    // Excluding the time of folders, because adding an ignored file changes it.
    const writtenAt = type === 'folder' ? undefined : mtime;
    this.hash.update(`${JSON.stringify([path, type, size, mode, writtenAt, target])}\n`);
  }

  /** Must be called once, after all entries were added. */
  value(): string {
    return this.hash.digest('hex');
  }
}
