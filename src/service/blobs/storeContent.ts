import { announceBlob } from '../store/data/blobReferences';
import type { Store, StoreAccess } from '../store/store';
import { type BlobCollector } from './blobCollector';
import type { BlobStore } from './blobStore';

/** Content stores and the store for their records. */
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
 * Atomically stores content and the rows that refer to it.
 * @param signal the caller's signal. If the caller has disconnected, the received bytes are
 *   discarded.
 * @param refer writes the rows in the transaction that makes the content durable.
 * @throws errors from the content's stream and from `refer`.
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
  try {
    for (let isStored = false; !isStored;) {
      const generation = await announceBlob(store, { hash, size });
      await incoming.prepare(generation, signal);
      isStored = await store.transaction().execute(async (transaction) => {
        // A collector has deleted the bytes or is about to.
        if ((await announceBlob(transaction, { hash, size })) !== generation) return false;
        await incoming.commit();
        await refer(transaction, { hash, size });
        // If a client is interrupted, it can appear to have sent everything until its reset arrives.
        signal.throwIfAborted();
        return true;
      });
    }
  } catch (error) {
    await collector.collect([hash]);
    throw error;
  }
}
