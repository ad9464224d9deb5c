import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { blobPath } from '../blobs/fileBlobStore';
import { systemErrorCode } from '../process/commandError';
import { referencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import { type BackupFile, copyFileDurably } from './backupFolder';

const PAGE = 1000;
/** Copies at a time: each waits for the disk. */
const WORKERS = 8;

/** The contents of a backup that is being written. */
export class BackupContents {
  readonly #copied = new Set<string>();

  /**
   * @param source the folder of the contents of a service, which may run
   * @param target the folder of those of the backup
   */
  constructor(
    private readonly source: string,
    private readonly target: string,
  ) {}

  get count(): number {
    return this.#copied.size;
  }

  /**
   * Copies the contents that a store refers to and that are not here yet, and removes the others.
   * @returns the hashes of those that are missing, or whose bytes are not what their hashes say.
   */
  async copyReferenced(store: Store): Promise<ReadonlySet<string>> {
    const unavailable = new Set<string>();
    const surplus = new Set(this.#copied);
    const hashes = referencedHashes(store);
    const copyNext = async (): Promise<void> => {
      for await (const hash of hashes) {
        surplus.delete(hash);
        if (!this.#copied.has(hash) && !(await this.#copy(hash))) unavailable.add(hash);
      }
    };
    // All have ended before an error is reported: who cleans up must not meet a copy under way.
    const results = await Promise.allSettled(Array.from({ length: WORKERS }, copyNext));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    for (const hash of surplus) {
      await rm(join(this.target, blobPath(hash)));
      this.#copied.delete(hash);
    }
    return unavailable;
  }

  /** What was copied. */
  *list(prefix: string): Generator<BackupFile> {
    for (const hash of [...this.#copied].toSorted()) {
      yield { path: prefix + blobPath(hash).replaceAll('\\', '/'), sha256: hash };
    }
  }

  async #copy(hash: string): Promise<boolean> {
    const target = join(this.target, blobPath(hash));
    try {
      if ((await copyFileDurably(join(this.source, blobPath(hash)), target)) === hash) {
        this.#copied.add(hash);
        return true;
      }
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
    }
    await rm(target, { force: true });
    return false;
  }
}

async function* referencedHashes(store: Store): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly { hash: string }[] = await referencedBlobs(store, after, PAGE);
    for (const { hash } of page) yield hash;
    after = page.at(-1)?.hash;
  }
}
