import {
  lockUnreferencedBlob,
  deleteBlobRow,
  unreferencedBlobs,
} from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const BATCH = 1000;

/**
 * Deletes blobs that are no longer referenced. The deletion of references is committed before their
 * blobs are deleted. If a crash prevents the deletion of blobs, they are deleted at the next start.
 */
export class BlobCollector {
  constructor(
    private readonly store: Store,
    private readonly blobs: BlobStore,
    /**
     * False if damage might hide references to blobs, which would then only appear to be
     * unreferenced.
     */
    private readonly areReferencesComplete = true,
  ) {}

  /** Deletes the unreferenced blobs among the given ones. */
  async collect(hashes: Iterable<string>): Promise<void> {
    for (const hash of new Set(hashes)) {
      await this.store.transaction().execute(async (transaction) => {
        if (await lockUnreferencedBlob(transaction, hash)) {
          await this.blobs.remove(hash);
          await deleteBlobRow(transaction, hash);
        }
      });
    }
  }

  /** Deletes all unreferenced blobs. Deletes none if damage might hide references. */
  async collectAll(): Promise<void> {
    if (!this.areReferencesComplete) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const { hashes, last } = await unreferencedBlobs(this.store, after, BATCH);
      await this.collect(hashes);
      after = last;
    }
  }
}
