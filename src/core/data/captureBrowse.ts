import { Disposable } from '../../base/disposable';
import {
  type BinaryItem,
  getPlacement,
  PLACED_MIME_TYPES,
  type Placement,
} from '../model/binaryItem';
import type { CaptureFilter, CaptureOrder } from '../model/captureFilter';
import type { BinaryDataStore, BinaryTotal } from '../stores/binaryDataStore';
import type { ReadingsStore } from '../stores/readingsStore';
import { ItemListing, type ListedPage } from './itemListing';

const NOTHING: BinaryTotal = { count: 0, bytes: 0 };

/** Stores that provide filter matches. */
export interface CaptureStores {
  readonly binaryData: BinaryDataStore;
  readonly readings: ReadingsStore;
}

/**
 * Snapshot of a filter's matches: the total for each category, and the items, which are read on
 * demand.
 */
export class CaptureBrowse extends Disposable {
  private readonly listings = new Map<Placement, ItemListing>();
  private readonly totals = new Map<Placement, Promise<BinaryTotal>>();
  private readings: Promise<number> | undefined;
  private readonly stopping = new AbortController();
  private known: Promise<boolean> | undefined;

  constructor(
    private readonly stores: CaptureStores,
    readonly filter: CaptureFilter,
    readonly order: CaptureOrder = 'newestFirst',
  ) {
    super();
    this.register({ dispose: () => this.stop() });
  }

  /** Aborts when this filter is no longer displayed. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /**
   * Returns the exact total for a category. Throws `FleetError`. After a failure, the next call
   * retries.
   */
  total(placement: Placement): Promise<BinaryTotal> {
    const known = this.totals.get(placement);
    if (known) return known;
    const pending = placement === 'files' ? this.countFiles() : this.countByPlacement(placement);
    this.totals.set(placement, pending);
    pending.catch(() => this.totals.delete(placement));
    return pending;
  }

  /**
   * Returns the exact number of matching readings. Throws `FleetError`. After a failure, the next
   * call retries.
   */
  countReadings(): Promise<number> {
    if (this.readings) return this.readings;
    const pending = this.stores.readings.count(this.filter, this.signal);
    this.readings = pending;
    pending.catch(() => (this.readings = undefined));
    return pending;
  }

  /** Returns the items in a category. */
  listing(placement: Placement): ItemListing {
    const known = this.listings.get(placement);
    if (known) return known;
    const made = new ItemListing(
      (limit, after, signal) => this.readPage(placement, limit, after, signal),
      (ids, signal) => this.stores.binaryData.get(ids, signal),
    );
    this.listings.set(placement, made);
    return made;
  }

  /** Returns the position of an item that was already read. */
  find(
    id: BinaryItem['id'],
  ):
    | { readonly placement: Placement; readonly index: number; readonly item: BinaryItem }
    | undefined {
    for (const [placement, listing] of this.listings) {
      const found = listing.find(id);
      if (found) return { placement, ...found };
    }
    return undefined;
  }

  /** Invalidates changed items. @returns true if any of the items are listed. */
  invalidate(ids: readonly BinaryItem['id'][] | 'all'): boolean {
    return [...this.listings.values()].map((listing) => listing.invalidate(ids)).includes(true);
  }

  /**
   * Returns a filter that matches exactly the items in a category, for changing all of them in
   * bulk; undefined if the API can't express this filter.
   */
  async toBulkFilter(placement: Placement): Promise<CaptureFilter | undefined> {
    const filter = toPlacementFilter(this.filter, placement);
    return placement === 'files' && !(await this.isKnown()) ? undefined : filter;
  }

  private async countByPlacement(placement: Placement): Promise<BinaryTotal> {
    const filter = toPlacementFilter(this.filter, placement);
    return filter ? this.stores.binaryData.count(filter, this.signal) : NOTHING;
  }

  private async countFiles(): Promise<BinaryTotal> {
    if (this.filter.mimeTypes.length > 0) return this.countByPlacement('files');
    const [all, images, clouds] = await Promise.all([
      this.stores.binaryData.count(this.filter, this.signal),
      this.total('images'),
      this.total('pointClouds'),
    ]);
    return {
      count: Math.max(0, all.count - images.count - clouds.count),
      bytes: Math.max(0, all.bytes - images.bytes - clouds.bytes),
    };
  }

  /**
   * Resolves to true if all files are of known types, so that a filter can select them by type. The
   * result is cached, because a page position is valid only for the filter that returned it.
   */
  private isKnown(): Promise<boolean> {
    if (this.known) return this.known;
    const pending = this.compareFiles();
    this.known = pending;
    pending.catch(() => (this.known = undefined));
    return pending;
  }

  private async compareFiles(): Promise<boolean> {
    if (this.filter.mimeTypes.length > 0) return true;
    const [files, known] = await Promise.all([this.total('files'), this.countByPlacement('files')]);
    return files.count === known.count;
  }

  private async readPage(
    placement: Placement,
    limit: number,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<ListedPage> {
    const pending = await this.toBulkFilter(placement);
    // If the API can't express the filter, all items are read and items in other categories are
    // excluded.
    const filter = pending ?? (placement === 'files' ? this.filter : undefined);
    if (filter === undefined) return { items: [], last: '' };
    const page = await this.stores.binaryData.page(
      { filter, order: this.order, limit, after },
      signal,
    );
    // A service can return fewer items than requested, so only an empty page reliably marks the
    // end.
    const isAll = after === undefined && page.items.length >= page.total.count;
    const isLast = page.items.length === 0 || isAll;
    const items = pending
      ? page.items
      : page.items.filter(({ mimeType }) => getPlacement(mimeType) === placement);
    return { items, last: isLast ? '' : page.last };
  }

  private stop(): void {
    this.stopping.abort();
    for (const listing of this.listings.values()) listing.stop();
  }
}

/**
 * MIME types of files that are neither images nor point clouds. The API filters by MIME type only
 * and has no negation. To find items of unlisted types, all items must be read.
 */
const OTHER_MIME_TYPES: readonly string[] = [
  'application/gzip',
  'application/json',
  'application/octet-stream',
  'application/pdf',
  'application/x-tar',
  'application/xml',
  'application/zip',
  'audio/mpeg',
  'audio/wav',
  'image/bmp',
  'image/gif',
  'image/svg+xml',
  'image/tiff',
  'image/webp',
  'text/csv',
  'text/html',
  'text/markdown',
  'text/plain',
  'video/mp4',
];

/**
 * Narrows a filter to the items in a category; returns undefined if the filter's own MIME types
 * exclude all of them. For files, if the filter has no MIME types, selects the known types.
 */
function toPlacementFilter(filter: CaptureFilter, placement: Placement): CaptureFilter | undefined {
  const { mimeTypes } = filter;
  if (mimeTypes.length === 0) {
    const types = placement === 'files' ? OTHER_MIME_TYPES : PLACED_MIME_TYPES[placement];
    return { ...filter, mimeTypes: types };
  }
  const left = mimeTypes.filter((type) => getPlacement(type) === placement);
  return left.length === 0 ? undefined : { ...filter, mimeTypes: left };
}
