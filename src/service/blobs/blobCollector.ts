import type { Logger } from '../../base/logger';
import {
  type BlobState,
  deleteBlobRow,
  lockUnreferencedBlob,
  unreferencedBlobs,
  updateBlobState,
} from '../store/data/blobReferences';
import { findReason } from '../store/storeErrors';
import type { Store } from '../store/store';
import type { BlobStore } from './blobStore';

const BATCH = 1000;
/** Number of failed deletions in succession after which the bucket counts as unavailable. */
const MAX_FAILURES = 5;
/** Maximum duration of an upload's parts in milliseconds. */
const MAX_UPLOAD_MS = 24 * 3_600_000;
/**
 * Time in milliseconds for which the record of a deleted blob remains, so that another upload of
 * its bytes gets a new generation, which a delayed deletion doesn't affect.
 */
const TOMBSTONE_MS = MAX_UPLOAD_MS;

/** Settings for deletions that are delayed. */
export interface DelayedCollection {
  /** Time in milliseconds for which a blob must have been unreferenced. */
  readonly graceMs: number;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Deletes blobs that are no longer referenced. The deletion of references is committed before their
 * blobs are deleted. If a crash prevents the deletion of blobs, they are deleted at the next start.
 *
 * For blobs in a bucket, deletions are delayed: calls of users don't wait for the bucket, and an
 * upload of the same bytes rarely has to be repeated. Correctness doesn't depend on the delay or on
 * clocks: a transaction first increments the generation of an unreferenced blob. Only then are the
 * objects of earlier generations deleted, which no upload can refer to anymore. A deletion that the
 * server executes late can't affect later generations.
 */
export class BlobCollector {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;
  private readonly deferrals: ((hash: string) => boolean)[] = [];

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
      this.running = this.running.then(() => this.sweep());
    };
    this.timer = setInterval(sweep, this.delay.graceMs / 4).unref();
  }

  /**
   * Lets `collectAll` skip blobs that are still being read. Blobs in a bucket are read through local
   * copies.
   * @param defer returns true if a blob is being read and will be collected afterward
   */
  skipIf(defer: (hash: string) => boolean): void {
    this.deferrals.push(defer);
  }

  /** Deletes the unreferenced blobs among the given ones, unless deletions are delayed. */
  async collect(hashes: Iterable<string>): Promise<void> {
    if (this.delay !== undefined) return;
    for (const hash of new Set(hashes)) await this.remove(hash);
  }

  /**
   * Deletes all unreferenced blobs that aren't being read, unless deletions are delayed. Deletes none
   * if damage might hide references.
   */
  async collectAll(): Promise<void> {
    if (this.delay !== undefined) return;
    for await (const { hash } of this.findUnreferenced()) {
      if (!this.deferrals.some((defer) => defer(hash))) await this.remove(hash);
    }
  }

  /**
   * Deletes the unreferenced blobs that have waited for the grace period, and lets the others wait.
   * Deletes none if damage might hide references. A blob that can't be deleted doesn't affect others,
   * unless too many fail in succession.
   * @throws the first error after all others were tried; Unavailable if the bucket doesn't respond.
   */
  async collectWaiting(): Promise<void> {
    if (this.delay === undefined) return;
    const { delay } = this;
    let firstError: Error | undefined;
    let failures = 0;
    for await (const { hash, ...state } of this.findUnreferenced()) {
      // A check without a lock avoids a transaction for each blob that waits.
      if (!isDue(state, delay)) continue;
      try {
        await this.removeIfDue(hash, delay);
        failures = 0;
      } catch (error) {
        firstError ??= error as Error;
        failures += 1;
        if (failures === MAX_FAILURES) break;
      }
    }
    if (firstError !== undefined) throw firstError;
  }

  /** Stops periodic deletions. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await this.running;
  }

  private async *findUnreferenced(): AsyncGenerator<BlobState & { hash: string }> {
    if (!this.areReferencesComplete) return;
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: Awaited<ReturnType<typeof unreferencedBlobs>> = await unreferencedBlobs(
        this.store,
        after,
        BATCH,
      );
      for (const blob of page.blobs) {
        if (this.isClosed) return;
        yield blob;
      }
      after = page.last;
    }
  }

  private async remove(hash: string): Promise<void> {
    await this.store.transaction().execute(async (transaction) => {
      if (await lockUnreferencedBlob(transaction, hash)) {
        await this.blobs.remove(hash);
        await deleteBlobRow(transaction, hash);
      }
    });
  }

  private async removeIfDue(hash: string, delay: DelayedCollection): Promise<void> {
    const { now } = delay;
    const begun = await this.store.transaction().execute(async (transaction) => {
      const state = await lockUnreferencedBlob(transaction, hash);
      if (state === undefined || !isDue(state, delay)) return undefined;
      if (state.unreferenced_at === null) {
        await updateBlobState(transaction, hash, { unreferenced_at: now() });
        return undefined;
      }
      const generation = state.generation + 1;
      await updateBlobState(transaction, hash, { generation });
      return { generation, isTombstone: state.collected_at !== null };
    });
    if (begun === undefined) return;
    const { generation, isTombstone } = begun;
    await this.blobs.remove(hash, generation);
    await this.store.transaction().execute(async (transaction) => {
      const state = await lockUnreferencedBlob(transaction, hash);
      if (state?.generation !== generation || state.unreferenced_at === null) return;
      if (isTombstone) await deleteBlobRow(transaction, hash);
      else await updateBlobState(transaction, hash, { collected_at: now() });
    });
  }

  private async sweep(): Promise<void> {
    if (this.delay === undefined || this.isClosed) return;
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

/** Returns true if a step of an unreferenced blob's deletion is due. */
function isDue(
  { unreferenced_at: since, collected_at: collectedAt }: BlobState,
  { graceMs, now }: DelayedCollection,
): boolean {
  if (since === null) return true;
  // The times can be those of another service, whose clock is wrong.
  const waited = Math.abs(now() - (collectedAt ?? since));
  return waited >= (collectedAt === null ? graceMs : TOMBSTONE_MS);
}
