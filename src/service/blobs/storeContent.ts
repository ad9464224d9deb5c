import { forEachBounded } from '../../base/bounded';
import { announceBlob } from '../store/data/blobReferences';
import type { Store, StoreAccess } from '../store/store';
import { type BlobCollector } from './blobCollector';
import type { BlobStore, IncomingBlob } from './blobStore';

/** Maximum number of contents that are uploaded at a time, each of which has parts in memory. */
const MAX_PREPARED = 4;

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
  stores: ContentStores,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  refer: (access: StoreAccess, stored: StoredContent) => Promise<void>,
): Promise<void> {
  await storeContents(stores, [content], signal, (access, [stored]) =>
    stored === undefined ? Promise.resolve() : refer(access, stored),
  );
}

/** Stores several contents like `storeContent`. `refer` receives them in the same order. */
export async function storeContents(
  { store, blobs, collector }: ContentStores,
  contents: readonly AsyncIterable<Uint8Array>[],
  signal: AbortSignal,
  refer: (access: StoreAccess, stored: readonly StoredContent[]) => Promise<void>,
): Promise<void> {
  await using received = new AsyncDisposableStack();
  const incoming: IncomingBlob[] = [];
  for (const content of contents) incoming.push(received.use(await blobs.receive(content)));
  signal.throwIfAborted();
  const stored = incoming.map(({ hash, size }) => ({ hash, size }));
  // Records are locked in the same order by all transactions, which prevents deadlocks.
  const inOrder = incoming.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const generations = new Map<string, number>();
  try {
    for (let isStored = false; !isStored;) {
      await forEachBounded(inOrder, MAX_PREPARED, async (blob) => {
        const { hash, size } = blob;
        const generation = await announceBlob(store, { hash, size });
        if (generations.get(hash) === generation) return;
        await blob.prepare(generation, signal);
        generations.set(hash, generation);
      });
      isStored = await store.transaction().execute(async (transaction) => {
        for (const { hash, size } of inOrder) {
          // A collector has deleted the bytes or is about to.
          if ((await announceBlob(transaction, { hash, size })) !== generations.get(hash)) {
            return false;
          }
        }
        for (const blob of inOrder) await blob.commit();
        await refer(transaction, stored);
        // If a client is interrupted, it can appear to have sent everything until its reset arrives.
        signal.throwIfAborted();
        return true;
      });
    }
  } catch (error) {
    await collector.collect(stored.map(({ hash }) => hash));
    throw error;
  }
}
