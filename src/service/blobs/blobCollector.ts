import type { Logger } from '../../base/logger';
import {
  deleteBlobRow,
  lockUnreferencedBlob,
  unreferencedBlobs,
} from '../store/data/blobReferences';
import { findReason } from '../store/storeErrors';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const BATCH = 1000;
/** Maximum number of blobs that wait for deletion. The others start to wait later. */
const MAX_WAITING = 100_000;
/** Maximum duration of an upload's parts in milliseconds. */
const MAX_UPLOAD_MS = 24 * 3_600_000;

/** Settings for deletions that are delayed. */
export interface DelayedCollection {
  /** Time in milliseconds for which a blob must have been unreferenced. */
  readonly graceMs: number;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Deletes blobs that are no longer referenced. The deletion of references is committed before their
 * blobs are deleted. If a crash prevents the deletion of blobs, they are deleted at the next start.
 *
 * For blobs in a bucket, deletions are delayed: calls of users don't wait for the bucket, and an
 * upload of the same bytes rarely has to be repeated. Correctness doesn't depend on the delay: a
 * blob is deleted under a lock on its record, and an upload that then gets the lock finds that the
 * object was deleted.
 */
export class BlobCollector {
  /** Times in milliseconds since which blobs have been known to be unreferenced, by hash. */
  readonly #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    private readonly store: Store,
    private readonly blobs: BlobStore,
    /**
     * False if damage might hide references to blobs, which would then only appear to be
     * unreferenced.
     */
    private readonly areReferencesComplete = true,
    /** If absent, blobs are deleted without delay. */
    private readonly delay?: DelayedCollection,
  ) {}

  /** Starts periodic deletions if they are delayed. */
  start(): void {
    if (this.delay === undefined) return;
    const sweep = (): void => {
      this.#running = this.#running.then(() => this.#sweep());
    };
    this.#timer = setInterval(sweep, this.delay.graceMs / 4).unref();
  }

  /** Deletes the unreferenced blobs among the given ones, or lets them wait. */
  async collect(hashes: Iterable<string>): Promise<void> {
    for (const hash of new Set(hashes)) {
      if (this.delay === undefined) await this.#remove(hash);
      else this.#isDue(hash, this.delay);
    }
  }

  /**
   * Deletes all unreferenced blobs, or lets them wait. Deletes none if damage might hide references.
   */
  async collectAll(): Promise<void> {
    for await (const hash of this.#findUnreferenced()) await this.collect([hash]);
  }

  /**
   * Deletes the unreferenced blobs that have waited for the grace period, and lets the others wait.
   * Deletes none if damage might hide references.
   * @throws Unavailable if the bucket doesn't respond; the other blobs continue to wait.
   */
  async collectWaiting(): Promise<void> {
    if (this.delay === undefined) return;
    const startedAt = this.delay.now();
    const unreferenced = new Set<string>();
    for await (const hash of this.#findUnreferenced()) {
      if (this.#isDue(hash, this.delay)) {
        await this.#remove(hash);
        this.#waiting.delete(hash);
      } else {
        unreferenced.add(hash);
      }
    }
    if (this.#isClosed) return;
    // Blobs that are referenced again must wait again.
    for (const [hash, since] of this.#waiting) {
      if (since < startedAt && !unreferenced.has(hash)) this.#waiting.delete(hash);
    }
  }

  /** Stops periodic deletions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async *#findUnreferenced(): AsyncGenerator<string> {
    if (!this.areReferencesComplete) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: { hashes: string[]; last: string | undefined } = await unreferencedBlobs(
        this.store,
        after,
        BATCH,
      );
      for (const hash of page.hashes) {
        if (this.#isClosed) return;
        yield hash;
      }
      after = page.last;
    }
  }

  async #remove(hash: string): Promise<void> {
    await this.store.transaction().execute(async (transaction) => {
      if (await lockUnreferencedBlob(transaction, hash)) {
        await this.blobs.remove(hash);
        await deleteBlobRow(transaction, hash);
      }
    });
  }

  #isDue(hash: string, { graceMs, now }: DelayedCollection): boolean {
    const since = this.#waiting.get(hash);
    if (since !== undefined) return now() - since >= graceMs;
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(hash, now());
    return false;
  }

  async #sweep(): Promise<void> {
    if (this.delay === undefined || this.#isClosed) return;
    const { now, logger } = this.delay;
    try {
      await this.collectWaiting();
      await this.blobs.removeUnfinished(new Date(now() - MAX_UPLOAD_MS));
    } catch (error) {
      logger.warn('contents without records were not deleted, and will be deleted later', {
        error: findReason(error),
      });
    }
  }
}
