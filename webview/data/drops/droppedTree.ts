import { MAX_DROPPED_FILES } from '../../../src/shared/data/drops';

/** The files in a drop with their paths, including files in folders. */
interface DroppedTree {
  readonly files: readonly { readonly path: string; readonly file: File }[];
  /** Paths of hidden files, which are skipped. */
  readonly hidden: readonly string[];
  /** Paths that the operating system doesn't allow the browser to read. */
  readonly unreadable: readonly string[];
  readonly isTooMany: boolean;
}

/** A dropped file or folder; some programs provide only a `File`. */
export type DroppedEntry = FileSystemEntry | File;

/** Returns the files in a drop, including those in folders. */
export async function listDroppedFiles(entries: readonly DroppedEntry[]): Promise<DroppedTree> {
  const walk = new Walk();
  for (const entry of entries) {
    if (entry instanceof File) walk.add(entry.name, entry);
    else await walk.visit(entry, entry.name);
  }
  return walk;
}

class Walk implements DroppedTree {
  readonly files: { path: string; file: File }[] = [];
  hidden: string[] = [];
  unreadable: string[] = [];
  isTooMany = false;

  add(path: string, file: File): void {
    this.isTooMany = this.files.length >= MAX_DROPPED_FILES;
    if (!this.isTooMany) this.files.push({ path, file });
  }

  /**
   * Collects an entry. Skips entries that can't be read, so that the remaining entries can still be
   * uploaded.
   */
  async visit(entry: FileSystemEntry, path: string): Promise<void> {
    if (this.isTooMany) return;
    try {
      await this.read(entry, path);
    } catch {
      note(this.unreadable, path);
    }
  }

  private async read(entry: FileSystemEntry, path: string): Promise<void> {
    if (isFile(entry)) {
      this.add(path, await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
      return;
    }
    if (!isFolder(entry)) return;
    const reader = entry.createReader();
    // Browsers return the entries in a folder in batches of up to a hundred.
    for (let some = await next(reader); some.length > 0; some = await next(reader)) {
      for (const one of some) {
        const inside = `${path}/${one.name}`;
        if (one.name.startsWith('.')) note(this.hidden, inside);
        else await this.visit(one, inside);
      }
    }
  }
}

/**
 * Adds a path to a list of skipped paths, unless the list has reached the maximum number of files.
 */
function note(paths: string[], path: string): void {
  if (paths.length < MAX_DROPPED_FILES) paths.push(path);
}

function next(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
