import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
const TEMPORARY_PREFIX = 'fleetwright-lake-';
const PLACE_FILE = 'place';
const PLACE_BYTES = 16;
const PREFIX_BYTES = 9;

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

  /** Removes all files of an organization. */
  async removeAll(organizationId: string): Promise<void> {
    await rm(this.of(organizationId), { recursive: true, force: true });
  }

  /**
   * Removes what no organization has any more, or what a crash has left half done.
   * @param listed the names of the files to keep, by organization.
   * @returns the organizations of which listed files are missing.
   */
  async sweep(listed: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
    const missing = new Set(listed.keys());
    for (const entry of await readdir(this.root, { withFileTypes: true })) {
      const names = listed.get(entry.name);
      if (!entry.isDirectory()) {
        continue;
      }
      if (names === undefined) {
        await rm(this.of(entry.name), { recursive: true, force: true });
      } else if (await this.#sweepFolder(entry.name, names)) {
        missing.delete(entry.name);
      }
    }
    return [...missing];
  }

  /** Whether all listed files are there; the others are there no more. */
  async #sweepFolder(organizationId: string, listed: ReadonlySet<string>): Promise<boolean> {
    const present = await readdir(this.of(organizationId));
    for (const name of present.filter((candidate) => !listed.has(candidate))) {
      await rm(join(this.of(organizationId), name), { recursive: true, force: true });
    }
    return present.filter((name) => listed.has(name)).length === listed.size;
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
