import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LakeFileRow } from '../store/data/dataSchema';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const TEMPORARY_PREFIX = 'fleetwright-lake-';
const FOLDER_ID_FILE = 'place';
const FOLDER_ID_BYTES = 16;
const PREFIX_BYTES = 9;

/** File as listed in the store. */
export type ListedFile = Pick<LakeFileRow, 'name' | 'byte_count'>;

/** Folder with a lake's files, with one subfolder per organization. */
export class LakeFolder {
  private constructor(
    private readonly root: string,
    /** True if the folder is deleted when the process exits. */
    readonly isTemporary: boolean,
    /**
     * ID of this folder in the records that refer to it. A copy without the files has a different
     * ID.
     */
    readonly folderId: string,
  ) {}

  /**
   * Opens a folder that only this process uses.
   * @param directory if absent, a temporary folder is created, which `close` deletes.
   */
  static async open(directory: string | undefined): Promise<LakeFolder> {
    const root = directory ?? (await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)));
    await mkdir(root, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    return new LakeFolder(root, directory === undefined, await getOrCreateFolderId(root));
  }

  /** Returns an organization's folder. */
  of(organizationId: string): string {
    return join(this.root, organizationId);
  }

  /** Returns an organization's folder, creating it if necessary. */
  async make(organizationId: string): Promise<string> {
    const directory = this.of(organizationId);
    await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    return directory;
  }

  /** Removes files of an organization. */
  async remove(organizationId: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      await rm(join(this.of(organizationId), name), { force: true });
    }
  }

  /** Removes all of an organization's files whose names start with `prefix`. */
  async removePrefixed(organizationId: string, prefix: string): Promise<void> {
    const names = await readdir(this.of(organizationId));
    await this.remove(
      organizationId,
      names.filter((name) => name.startsWith(prefix)),
    );
  }

  /** Removes all of an organization's files. */
  async removeAll(organizationId: string): Promise<void> {
    await rm(this.of(organizationId), { recursive: true, force: true });
  }

  /**
   * Removes files that no organization uses anymore, including files left behind by a crash.
   * @param listed files to retain, by organization.
   * @returns the names of listed files that are missing or have a different size, by organization.
   */
  async sweep(
    listed: ReadonlyMap<string, readonly ListedFile[]>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    for (const entry of await readdir(this.root, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const names = new Set(listed.get(entry.name)?.map(({ name }) => name));
      for (const name of await readdir(this.of(entry.name))) {
        if (!names.has(name)) {
          await rm(join(this.of(entry.name), name), { recursive: true, force: true });
        }
      }
      if (names.size === 0) await rm(this.of(entry.name), { recursive: true, force: true });
    }
    const damaged = new Map<string, readonly string[]>();
    for (const [organizationId, files] of listed) {
      const names = await this.findWrongSizes(organizationId, files);
      if (names.length > 0) damaged.set(organizationId, names);
    }
    return damaged;
  }

  /** Returns the names of files that are missing or whose size differs from the listed size. */
  async findWrongSizes(organizationId: string, files: readonly ListedFile[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const { name, byte_count } of files) {
      const found = await stat(join(this.of(organizationId), name)).catch(() => undefined);
      if (found?.size !== byte_count) wrong.push(name);
    }
    return wrong;
  }

  async close(): Promise<void> {
    if (this.isTemporary) await rm(this.root, { recursive: true, force: true });
  }
}

/** Returns a unique prefix for the names of files that are written together. */
export function newFilePrefix(): string {
  return randomBytes(PREFIX_BYTES).toString('hex');
}

async function getOrCreateFolderId(root: string): Promise<string> {
  const path = join(root, FOLDER_ID_FILE);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') return known;
  const folderId = randomBytes(FOLDER_ID_BYTES).toString('hex');
  await writeFile(path, folderId, { mode: OWNER_ONLY_FILE, flush: true });
  return folderId;
}

/** Counts the readers of files, so that no file is removed while it is being read. */
export class FileRefCounts {
  private readonly readers = new Map<string, number>();
  private readonly toDelete = new Set<string>();

  constructor(private readonly remove: (name: string) => Promise<void>) {}

  /** Prevents the removal of files until the result is disposed of. */
  acquire(names: readonly string[]): AsyncDisposable {
    for (const name of names) {
      this.readers.set(name, (this.readers.get(name) ?? 0) + 1);
    }
    return { [Symbol.asyncDispose]: () => this.release(names) };
  }

  /** Removes a file when it is no longer being read. Returns false if it isn't being read. */
  deferRemoval(name: string): boolean {
    if (!this.readers.has(name)) return false;
    this.toDelete.add(name);
    return true;
  }

  /** Removes files as soon as they are no longer being read. */
  async discard(names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (!this.deferRemoval(name)) await this.remove(name);
    }
  }

  private async release(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const left = (this.readers.get(name) ?? 0) - 1;
      if (left > 0) {
        this.readers.set(name, left);
        continue;
      }
      this.readers.delete(name);
      if (this.toDelete.delete(name)) await this.remove(name);
    }
  }
}
