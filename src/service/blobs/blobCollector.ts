import { forgetBlob, lockUnreferencedBlob, unreferencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const BATCH = 1000;

/**
 * Frees the room of blobs that nothing refers to any more. What refers to them is deleted first, and
 * that is committed; what a crash keeps from being freed then, the next start frees.
 */
export class BlobCollector {
  constructor(
    private readonly store: Store,
    private readonly blobs: BlobStore,
    /** Damage may hide what refers to a blob, which then only looks unreferenced. */
    private readonly areReferencesComplete = true,
  ) {}

  /** Frees those of these blobs that nobody needs. */
  async collect(hashes: Iterable<string>): Promise<void> {
    for (const hash of new Set(hashes)) {
      await this.store.transaction().execute(async (transaction) => {
        if (await lockUnreferencedBlob(transaction, hash)) {
          await this.blobs.remove(hash);
          await forgetBlob(transaction, hash);
        }
      });
    }
  }

  /** Frees every blob that nobody needs; none while references may be hidden. */
  async collectAll(): Promise<void> {
    if (!this.areReferencesComplete) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const { hashes, last } = await unreferencedBlobs(this.store, after, BATCH);
      await this.collect(hashes);
      after = last;
    }
  }
}
