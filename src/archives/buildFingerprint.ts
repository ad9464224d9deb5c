import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FolderEntry } from './folderEntries';

/** What tells an archive from another one at the same place. */
export function archiveFingerprint({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `${String(size)} ${String(mtimeMs)}`;
}

/** What tells a folder from another one at the same place, of its entries in their order. */
export class FolderFingerprint {
  private readonly hash = createHash('sha256');

  add({ path, type, size, mode, mtime, target }: FolderEntry): void {
    // A folder is another one, too, once something comes into it that stays behind.
    const writtenAt = type === 'folder' ? undefined : mtime;
    this.hash.update(`${JSON.stringify([path, type, size, mode, writtenAt, target])}\n`);
  }

  /** To be asked once, when all entries are there. */
  value(): string {
    return this.hash.digest('hex');
  }
}
