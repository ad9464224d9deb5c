import { forgetBlob, lockUnreferencedBlob, unreferencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const BATCH = 1000;

/**
 * Deletes blobs that nothing refers to anymore. The references are deleted and committed first;
 * blobs that a crash prevents from being deleted are deleted at the next start.
 */
export class BlobCollector {
  constructor(
    private readonly store: Store,
    private readonly blobs: BlobStore,
    /** Damage can hide references to a blob, which then only looks unreferenced. */
    private readonly areReferencesComplete = true,
  ) {}

  /** Deletes the unreferenced ones of these blobs. */
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

  /** Deletes all unreferenced blobs; none while references can be hidden. */
  async collectAll(): Promise<void> {
    if (!this.areReferencesComplete) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const { hashes, last } = await unreferencedBlobs(this.store, after, BATCH);
      await this.collect(hashes);
      after = last;
    }
  }
}
