import { englishLocalizer, type Localizer } from '../../../base/localizer';
import type { BinaryItem } from '../../model/binaryItem';
import type { BinaryDataId } from '../../model/ids';
import type { BinaryContent, BinaryDataStore } from '../../stores/binaryDataStore';
import { FleetError, type FleetErrorKind, toFleetError } from '../../api/errors';
import { requireShowable, wholeContent } from '../../api/contentStream';

/** Maximum size of images that are read for a thumbnail. */
const MAX_THUMBNAIL_BYTES = 24 * 1024 * 1024;

export interface ItemContentsOptions {
  /** Returns the current connection's store. */
  readonly store: () => BinaryDataStore;
  /** Returns the item if it is cached. */
  readonly find: (id: BinaryDataId) => BinaryItem | undefined;
  /**
   * Resolves when concurrent callers have added their requests, so that the requests can be
   * batched.
   */
  readonly gathered: () => Promise<void>;
  /** Translates error messages. */
  readonly l10n?: Localizer | undefined;
}

/**
 * Reads contents of items for display. Batches small contents into a few calls and streams large
 * contents.
 */
export class ItemContents {
  private readonly batcher: ContentBatcher;
  private readonly l10n: Localizer;
  /** Contents that were requested ahead of the page. */
  private readonly prefetched = new Map<BinaryDataId, Promise<Uint8Array>>();

  constructor(private readonly options: ItemContentsOptions) {
    this.l10n = options.l10n ?? englishLocalizer;
    this.batcher = new ContentBatcher({
      read: (ids, signal) => options.store().contents(ids, signal),
      gathered: options.gathered,
      l10n: options.l10n,
    });
  }

  /**
   * Reads the contents of the first of the given images, as far as one call can, and releases those
   * prefetched before. `thumbnail` returns each of them once.
   */
  prefetch(items: readonly BinaryItem[], signal: AbortSignal): void {
    this.prefetched.clear();
    let bytes = 0;
    for (const item of items.slice(0, MAX_ITEMS)) {
      bytes += item.sizeBytes;
      if (bytes > MAX_BYTES) return;
      const reading = this.batcher.read(item, signal);
      reading.catch(() => undefined);
      this.prefetched.set(item.id, reading);
    }
  }

  /** Reads an image's content for its thumbnail. Throws `FleetError`. */
  async thumbnail(id: BinaryDataId, signal: AbortSignal): Promise<ArrayBuffer> {
    const item = await this.item(id, signal);
    if (item.sizeBytes > MAX_THUMBNAIL_BYTES) {
      throw new FleetError('unsupported', this.l10n.t('The image is too large for a thumbnail.'));
    }
    const read = (): Promise<Uint8Array> => this.batcher.read(item, signal);
    const prefetched = this.prefetched.get(id);
    this.prefetched.delete(id);
    // A prefetch fails if its filter was replaced, which doesn't concern this request.
    const bytes = await (prefetched?.catch(read) ?? read());
    // A copy, because the received bytes are part of a larger buffer.
    return new Uint8Array(bytes).buffer;
  }

  /**
   * Reads an item's complete content. @param report called with the number of received bytes.
   * Throws `FleetError`.
   */
  async whole(
    id: BinaryDataId,
    signal: AbortSignal,
    report?: (bytes: number) => void,
  ): Promise<ArrayBuffer> {
    const item = await this.item(id, signal);
    requireShowable(item.sizeBytes, this.l10n);
    const stream = await this.options.store().content(item, { signal });
    return (await wholeContent(stream, report, this.l10n)).buffer;
  }

  /** Returns an item. Reads it again if it is no longer cached. Throws `notFound`. */
  async item(id: BinaryDataId, signal?: AbortSignal): Promise<BinaryItem> {
    const known = this.options.find(id);
    if (known) return known;
    const [item] = await this.options.store().get([id], signal);
    if (!item) throw new FleetError('notFound', this.l10n.t('The item no longer exists.'));
    return item;
  }
}

/** Maximum number of concurrent calls. */
const MAX_CALLS = 4;
/**
 * Limits on the items per call and the bytes per response. Other calls have to wait for the
 * response, which must also fit into one message.
 */
const MAX_ITEMS = 16;
const MAX_BYTES = 4 * 1024 * 1024;
/** Kinds of call errors that a single item can cause. */
const OF_AN_ITEM: ReadonlySet<FleetErrorKind> = new Set(['notFound', 'damaged']);

export interface ContentBatcherOptions {
  /**
   * Reads contents in one call. If one item was deleted, throws `notFound` for the entire call.
   * Damaged contents are empty; if all of them are damaged, throws `damaged`.
   */
  readonly read: (
    ids: readonly BinaryDataId[],
    signal: AbortSignal,
  ) => Promise<readonly BinaryContent[]>;
  /**
   * Resolves when concurrent callers have added their requests, so that the requests can be
   * batched.
   */
  readonly gathered: () => Promise<void>;
  /** Translates error messages. */
  readonly l10n?: Localizer | undefined;
}

interface ContentRequest {
  readonly item: Pick<BinaryItem, 'id' | 'sizeBytes'>;
  readonly signal: AbortSignal;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Combines individual content requests into a few calls. */
export class ContentBatcher {
  private waiting: ContentRequest[] = [];
  private calls = 0;
  private gathering = false;

  private readonly l10n: Localizer;

  constructor(private readonly options: ContentBatcherOptions) {
    this.l10n = options.l10n ?? englishLocalizer;
  }

  /**
   * Reads an item's content. A request that is aborted before it is sent is never sent. Throws
   * `FleetError`.
   */
  read(item: ContentRequest['item'], signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, signal, resolve, reject });
      void this.gather();
    });
  }

  private async gather(): Promise<void> {
    if (this.gathering) return;
    this.gathering = true;
    await this.options.gathered();
    this.gathering = false;
    this.callNext();
  }

  private callNext(): void {
    this.waiting = this.waiting.filter((request) => !isDropped(request, this.l10n));
    while (this.calls < MAX_CALLS && this.waiting.length > 0) void this.call(this.nextBatch());
  }

  /**
   * Returns the next batch. Distributes the pending requests among the available calls, so that the
   * first response arrives quickly.
   */
  private nextBatch(): readonly ContentRequest[] {
    const share = Math.ceil(this.waiting.length / (MAX_CALLS - this.calls));
    let [length, bytes] = [0, 0];
    for (const { item } of this.waiting.slice(0, Math.min(share, MAX_ITEMS))) {
      bytes += item.sizeBytes;
      if (length > 0 && bytes > MAX_BYTES) break;
      length += 1;
    }
    return this.waiting.splice(0, length);
  }

  private async call(batch: readonly ContentRequest[]): Promise<void> {
    this.calls += 1;
    await this.fetchBatch(batch);
    this.calls -= 1;
    this.callNext();
  }

  private async fetchBatch(batch: readonly ContentRequest[]): Promise<void> {
    const left = batch.filter((request) => !isDropped(request, this.l10n));
    if (left.length === 0) return;
    const stop = new AbortController();
    const leave = (): void => {
      if (left.every(({ signal }) => signal.aborted)) stop.abort();
    };
    for (const { signal } of left) signal.addEventListener('abort', leave);
    try {
      const contents = await this.options.read(
        left.map(({ item }) => item.id),
        stop.signal,
      );
      const damaged = deliverContents(left, contents, this.l10n);
      // Read the damaged items individually, so that each of them gets its own error.
      if (left.length > 1) for (const request of damaged) await this.fetchBatch([request]);
      else for (const { item, reject } of damaged) reject(damagedError(item.id, this.l10n));
    } catch (error) {
      await this.explain(left, error);
    } finally {
      for (const { signal } of left) signal.removeEventListener('abort', leave);
    }
  }

  /**
   * Isolates the cause of an error. One deleted item makes the whole call fail, so the batch is
   * split in half repeatedly until the item is isolated.
   */
  private async explain(batch: readonly ContentRequest[], error: unknown): Promise<void> {
    if (batch.length > 1 && OF_AN_ITEM.has(toFleetError(error).kind)) {
      const middle = batch.length >> 1;
      await this.fetchBatch(batch.slice(0, middle));
      await this.fetchBatch(batch.slice(middle));
    } else {
      for (const { reject } of batch) reject(error);
    }
  }
}

function isDropped({ signal, reject }: ContentRequest, l10n: Localizer): boolean {
  if (signal.aborted) reject(new FleetError('canceled', l10n.t('The download was canceled.')));
  return signal.aborted;
}

/**
 * @returns the requests whose content can't be read: their content in the response is empty
 *   although the item isn't empty.
 */
function deliverContents(
  batch: readonly ContentRequest[],
  contents: readonly BinaryContent[],
  l10n: Localizer,
): readonly ContentRequest[] {
  const damaged: ContentRequest[] = [];
  const byId = new Map(contents.map(({ id, bytes }) => [id, bytes]));
  for (const request of batch) {
    const { item, resolve, reject } = request;
    const bytes = byId.get(item.id);
    if (bytes?.length === 0 && item.sizeBytes > 0) {
      damaged.push(request);
    } else if (bytes) {
      resolve(bytes);
    } else {
      reject(new FleetError('notFound', l10n.t('The content of {0} no longer exists.', item.id)));
    }
  }
  return damaged;
}

function damagedError(id: BinaryDataId, l10n: Localizer): FleetError {
  return new FleetError('damaged', l10n.t('The service has no undamaged content of {0}.', id));
}
