import { onAbort } from '../../base/cancellation';
import { toFleetError } from '../api/errors';
import type { BinaryItem, CaptureSource } from '../model/binaryItem';
import type { BinaryDataId } from '../model/ids';

/** Page of a listing. An empty `last` means that this page is the last one. */
export interface ListedPage {
  readonly items: readonly BinaryItem[];
  readonly last: string;
}

/** Reads the page that follows the page with the given `last`. */
export type ReadPage = (
  limit: number,
  after: string | undefined,
  signal: AbortSignal,
) => Promise<ListedPage>;

/** Size of the first page. It is small so that items appear quickly. Later pages are larger. */
const MIN_PAGE_SIZE = 200;
const MAX_PAGE_SIZE = 5_000;

/** Reads the current state of items by ID. Throws `notFound` if one of the items was deleted. */
export type ReadAgain = (
  ids: readonly BinaryDataId[],
  signal: AbortSignal | undefined,
) => Promise<readonly BinaryItem[]>;

/** Number of items to reload in one call. */
const READ_AGAIN_AT_ONCE = 500;

interface Waiting {
  readonly end: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Items from one query in the service's order, accessible by index. Pages are linked, so accessing
 * an index requires reading all items before it. Reads only as far as a caller requests.
 */
export class ItemListing {
  private readonly items: BinaryItem[] = [];
  private readonly indexes = new Map<BinaryDataId, number>();
  private readonly sources = new Map<string, CaptureSource>();
  private readonly stale = new Set<BinaryDataId>();
  private readonly waiting = new Set<Waiting>();
  private readonly stopping = new AbortController();
  private last: string | undefined;
  private ended = false;
  private running = false;

  constructor(
    private readonly readPage: ReadPage,
    private readonly readAgain: ReadAgain,
  ) {}

  /** Number of items read so far. */
  get length(): number {
    return this.items.length;
  }

  /** True if all items have been read. */
  get isComplete(): boolean {
    return this.ended;
  }

  at(index: number): BinaryItem | undefined {
    return this.items[index];
  }

  find(id: BinaryDataId): { readonly index: number; readonly item: BinaryItem } | undefined {
    const index = this.indexes.get(id);
    const item = index === undefined ? undefined : this.items[index];
    return index === undefined || item === undefined ? undefined : { index, item };
  }

  /**
   * Returns the items from `start` (inclusive) to `end` (exclusive); fewer if the listing ends
   * earlier. Throws `FleetError`.
   */
  async read(start: number, end: number, signal?: AbortSignal): Promise<readonly BinaryItem[]> {
    await this.readUpTo(end, signal);
    return this.items.slice(start, end);
  }

  /**
   * Like `read`, but reads at most one page before it returns the current state of the available
   * items. Throws `FleetError`.
   */
  async readTowards(
    start: number,
    end: number,
    signal?: AbortSignal,
  ): Promise<readonly BinaryItem[]> {
    await this.readUpTo(Math.min(end, this.length + MAX_PAGE_SIZE), signal);
    await this.renew(start, end, signal);
    return this.items.slice(start, end);
  }

  /**
   * Marks changed items so that they are reloaded on the next access. @returns true if any of the
   * items are listed.
   */
  invalidate(ids: readonly BinaryDataId[] | 'all'): boolean {
    const listed = (ids === 'all' ? [...this.indexes.keys()] : ids).filter((id) =>
      this.indexes.has(id),
    );
    for (const id of listed) this.stale.add(id);
    return listed.length > 0;
  }

  /**
   * Replaces a listed item with its new state. Returns the item's index; undefined if the item is
   * not listed.
   */
  update(item: BinaryItem): number | undefined {
    const index = this.indexes.get(item.id);
    if (index !== undefined) this.items[index] = this.interned(item);
    return index;
  }

  /** Stops reading and rejects pending calls. */
  stop(): void {
    this.stopping.abort();
  }

  private async renew(start: number, end: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.stale.size === 0) return;
    const ids = this.items.slice(start, end).map(({ id }) => id);
    const stale = ids.filter((id) => this.stale.has(id));
    for (let at = 0; at < stale.length; at += READ_AGAIN_AT_ONCE) {
      await this.renewSome(stale.slice(at, at + READ_AGAIN_AT_ONCE), signal);
    }
  }

  /**
   * Reloads items. One deleted item makes the whole call fail, so batches are split in half
   * repeatedly until the item is isolated. A deleted item keeps its cached state.
   */
  private async renewSome(
    ids: readonly BinaryDataId[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (const id of ids) this.stale.delete(id);
    try {
      for (const item of await this.readAgain(ids, signal)) this.update(item);
    } catch (error) {
      if (toFleetError(error).kind !== 'notFound') {
        for (const id of ids) this.stale.add(id);
        throw error;
      }
      if (ids.length === 1) return;
      const middle = ids.length >> 1;
      await this.renewSome(ids.slice(0, middle), signal);
      await this.renewSome(ids.slice(middle), signal);
    }
  }

  private readUpTo(end: number, signal: AbortSignal | undefined): Promise<void> {
    if (end <= this.items.length || this.ended) return Promise.resolve();
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting: Waiting = { end, resolve: () => resolve(undefined), reject };
    this.waiting.add(waiting);
    const following =
      signal &&
      onAbort(signal, () => {
        this.waiting.delete(waiting);
        reject(signal.reason as Error);
      });
    void this.run();
    return promise.finally(() => following?.dispose());
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      while (this.waiting.size > 0) {
        await this.readNext(this.stopping.signal);
        this.wake();
      }
    } catch (error) {
      for (const { reject } of this.waiting) reject(error);
      this.waiting.clear();
    } finally {
      this.running = false;
    }
  }

  private async readNext(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const missingCount = Math.max(...[...this.waiting].map(({ end }) => end)) - this.items.length;
    const limit = Math.min(Math.max(missingCount, MIN_PAGE_SIZE), MAX_PAGE_SIZE);
    const { items, last } = await this.readPage(limit, this.last, signal);
    for (const item of items) {
      // Deletions and uploads during the listing can shift pages, so the same item can appear
      // twice.
      if (this.indexes.has(item.id)) continue;
      this.indexes.set(item.id, this.items.length);
      this.items.push(this.interned(item));
    }
    this.ended = last === '';
    this.last = last;
  }

  private wake(): void {
    for (const waiting of this.waiting) {
      if (waiting.end > this.items.length && !this.ended) continue;
      this.waiting.delete(waiting);
      waiting.resolve();
    }
  }

  /**
   * Replaces the item's source with a shared instance, because thousands of items have only a few
   * sources.
   */
  private interned(item: BinaryItem): BinaryItem {
    const { source } = item;
    const key = JSON.stringify(source);
    const known = this.sources.get(key);
    if (known === undefined) this.sources.set(key, source);
    return known === undefined ? item : { ...item, source: known };
  }
}
