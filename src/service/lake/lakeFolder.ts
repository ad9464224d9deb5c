import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LakeFileRow } from '../store/data/lakeSchema';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const TEMPORARY_PREFIX = 'fleetwright-lake-';
const PLACE_FILE = 'place';
const PLACE_BYTES = 16;
const PREFIX_BYTES = 9;

/** A file as the store lists it. */
export type ListedFile = Pick<LakeFileRow, 'name' | 'byte_count'>;

/** The folder with the files of a lake: one folder in it for each organization. */
export class LakeFolder {
  private constructor(
    private readonly root: string,
    /** Whether it goes with the process. */
    readonly isTemporary: boolean,
    /** Names this folder, in the records of anyone who uses it. A copy without its files has another. */
    readonly place: string,
  ) {}

  /**
   * Opens a folder that this process alone works on.
   * @param directory absent, a temporary one is made, which `close` removes.
   */
  static async open(directory: string | undefined): Promise<LakeFolder> {
    const root = directory ?? (await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)));
    await mkdir(root, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    return new LakeFolder(root, directory === undefined, await placeOf(root));
  }

  /** The folder of an organization. */
  of(organizationId: string): string {
    return join(this.root, organizationId);
  }

  /** The folder of an organization, made if need be. */
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

  /** Removes every file of an organization whose name begins with `prefix`. */
  async removePrefixed(organizationId: string, prefix: string): Promise<void> {
    const names = await readdir(this.of(organizationId));
    await this.remove(
      organizationId,
      names.filter((name) => name.startsWith(prefix)),
    );
  }

  /** Removes all files of an organization. */
  async removeAll(organizationId: string): Promise<void> {
    await rm(this.of(organizationId), { recursive: true, force: true });
  }

  /**
   * Removes the files that no organization has any more, and what a crash left.
   * @param listed the files to keep, by organization.
   * @returns the names of listed files that are missing or have another size, by organization.
   */
  async sweep(
    listed: ReadonlyMap<string, readonly ListedFile[]>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    for (const entry of await readdir(this.root, { withFileTypes: true })) {
      if (!entry.isDirectory()) {
        continue;
      }
      const names = new Set(listed.get(entry.name)?.map(({ name }) => name));
      for (const name of await readdir(this.of(entry.name))) {
        if (!names.has(name)) {
          await rm(join(this.of(entry.name), name), { recursive: true, force: true });
        }
      }
      if (names.size === 0) {
        await rm(this.of(entry.name), { recursive: true, force: true });
      }
    }
    const damaged = new Map<string, readonly string[]>();
    for (const [organizationId, files] of listed) {
      const names = await this.findWrongSizes(organizationId, files);
      if (names.length > 0) damaged.set(organizationId, names);
    }
    return damaged;
  }

  /** The names of files that are missing or have another size than the listed one. */
  async findWrongSizes(organizationId: string, files: readonly ListedFile[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const { name, byte_count } of files) {
      const found = await stat(join(this.of(organizationId), name)).catch(() => undefined);
      if (found?.size !== byte_count) wrong.push(name);
    }
    return wrong;
  }

  async close(): Promise<void> {
    if (this.isTemporary) {
      await rm(this.root, { recursive: true, force: true });
    }
  }
}

/** What the names of files that are written together begin with: no other file has it. */
export function newFilePrefix(): string {
  return randomBytes(PREFIX_BYTES).toString('hex');
}

async function placeOf(root: string): Promise<string> {
  const path = join(root, PLACE_FILE);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') {
    return known;
  }
  const place = randomBytes(PLACE_BYTES).toString('hex');
  await writeFile(path, place, { mode: OWNER_ONLY_FILE, flush: true });
  return place;
}
