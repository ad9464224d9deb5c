import {
  announceBlob,
  forgetBlob,
  lockBlob,
  lockUnreferencedBlob,
  unreferencedBlobs,
} from '../store/data/blobReferences';
import type { Store, StoreAccess } from '../store/store';
import type { BlobStore } from './blobStore';

/** Stores for contents and their records. */
export interface ContentStores {
  store: Store;
  blobs: BlobStore;
  collector: BlobCollector;
}

/** Content whose bytes have been received completely. */
export interface StoredContent {
  /** SHA-256 hash in hexadecimal. */
  hash: string;
  size: number;
}

/**
 * Stores content and the rows that refer to it, either both or neither.
 * @param signal signal of the caller. If the caller has disconnected, the received bytes are
 *   discarded.
 * @param refer writes the rows in the transaction that makes the content durable.
 * @throws errors of the content's stream and of `refer`.
 */
export async function storeContent(
  { store, blobs, collector }: ContentStores,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  refer: (access: StoreAccess, stored: StoredContent) => Promise<void>,
): Promise<void> {
  await using incoming = await blobs.receive(content);
  signal.throwIfAborted();
  const { hash, size } = incoming;
  await announceBlob(store, { hash, size });
  try {
    await store.transaction().execute(async (transaction) => {
      await lockBlob(transaction, { hash, size });
      await incoming.commit();
      await refer(transaction, { hash, size });
      // An interrupted client can appear to have sent everything until its reset arrives.
      signal.throwIfAborted();
    });
  } catch (error) {
    await collector.collect([hash]);
    throw error;
  }
}

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
          await forgetBlob(transaction, hash);
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
