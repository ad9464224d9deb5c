import { announceBlob, lockBlob } from '../store/data/blobReferences';
import type { Store, StoreAccess } from '../store/store';
import type { BlobCollector } from './blobCollector';
import type { BlobStore } from './blobStore';

/** Where contents go. */
export interface ContentStores {
  store: Store;
  blobs: BlobStore;
  collector: BlobCollector;
}

/** Bytes that have arrived as a whole. */
export interface StoredContent {
  /** SHA-256 in hexadecimal. */
  hash: string;
  size: number;
}

/**
 * Takes a content in and has rows refer to it: both are there afterwards, or neither.
 * @param signal of the caller: one that is gone did not mean what arrived until then.
 * @param refer writes the rows, in the transaction that makes the content durable.
 * @throws what the stream of the content throws, and what `refer` throws.
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
      await incoming.keep();
      await refer(transaction, { hash, size });
      // A client that breaks off may seem to have sent all until its reset arrives.
      signal.throwIfAborted();
    });
  } catch (error) {
    await collector.collect([hash]);
    throw error;
  }
}
