import { forgetBlob, lockUnreferencedBlob, unreferencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const BATCH = 1000;

/**
 * Deletes blobs that are no longer referenced. References are deleted and committed before the
 * blobs; if a crash prevents the deletion of blobs, they are deleted at the next start.
 */
export class BlobCollector {
  constructor(
    private readonly store: Store,
    private readonly blobs: BlobStore,
    /** False if damage can hide references to blobs, which then only seem to be unreferenced. */
    private readonly areReferencesComplete = true,
  ) {}

  /** Deletes those of the given blobs that are unreferenced. */
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

  /** Deletes all unreferenced blobs. Deletes none if damage can hide references. */
  async collectAll(): Promise<void> {
    if (!this.areReferencesComplete) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const { hashes, last } = await unreferencedBlobs(this.store, after, BATCH);
      await this.collect(hashes);
      after = last;
    }
  }
}
