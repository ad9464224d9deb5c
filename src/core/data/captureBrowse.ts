import { Disposable } from '../../base/disposable';
import type { BinaryItem } from '../model/binaryItem';
import type { CaptureFilter } from '../model/captureFilter';
import { type Placement, placementOfType } from '../model/placement';
import type { BinaryDataStore, BinaryTotal } from '../stores/binaryDataStore';
import type { CaptureOrder } from '../stores/captureOrder';
import type { ReadingsStore } from '../stores/readingsStore';
import { ItemListing, type ListedPage } from './itemListing';
import { placedFilter } from './placedFilter';

const NOTHING: BinaryTotal = { count: 0, bytes: 0 };

/** Where what a filter selects is read from. */
export interface CaptureStores {
  readonly binaryData: BinaryDataStore;
  readonly readings: ReadingsStore;
}

/** What one filter selects at one time: how much in each place, and what, read as far as somebody looks. */
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

  /** Aborts when this filter is not looked at any more. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** How much appears in a place, exactly. Throws `FleetError`; asking again after a failure asks again. */
  total(placement: Placement): Promise<BinaryTotal> {
    const known = this.totals.get(placement);
    if (known) return known;
    const asked = placement === 'files' ? this.countFiles() : this.countPlaced(placement);
    this.totals.set(placement, asked);
    asked.catch(() => this.totals.delete(placement));
    return asked;
  }

  /** How many readings match, exactly. Throws `FleetError`; asking again after a failure asks again. */
  countReadings(): Promise<number> {
    if (this.readings) return this.readings;
    const asked = this.stores.readings.count(this.filter, this.signal);
    this.readings = asked;
    asked.catch(() => (this.readings = undefined));
    return asked;
  }

  /** The items of a place. */
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

  /** Where an item is listed that has been read. */
  find(
    id: BinaryItem['id'],
  ):
    | { readonly placement: Placement; readonly place: number; readonly item: BinaryItem }
    | undefined {
    for (const [placement, listing] of this.listings) {
      const found = listing.find(id);
      if (found) return { placement, ...found };
    }
    return undefined;
  }

  /** Items were changed. @returns whether any of them is listed. */
  invalidate(ids: readonly BinaryItem['id'][] | 'all'): boolean {
    return [...this.listings.values()].map((listing) => listing.invalidate(ids)).includes(true);
  }

  /**
   * What a bulk change of everything in a place is to be asked for: a filter that selects just that, or
   * nothing when the wire cannot say it.
   */
  async filterOf(placement: Placement): Promise<CaptureFilter | undefined> {
    const filter = placedFilter(this.filter, placement);
    return placement === 'files' && !(await this.isKnown()) ? undefined : filter;
  }

  private async countPlaced(placement: Placement): Promise<BinaryTotal> {
    const filter = placedFilter(this.filter, placement);
    return filter ? this.stores.binaryData.count(filter, this.signal) : NOTHING;
  }

  private async countFiles(): Promise<BinaryTotal> {
    if (this.filter.mimeTypes.length > 0) return this.countPlaced('files');
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
   * Whether the files are all of known types, so that they can be asked for by them. Decided once: the end of
   * a page means nothing to another filter.
   */
  private isKnown(): Promise<boolean> {
    if (this.known) return this.known;
    const asked = this.compareFiles();
    this.known = asked;
    asked.catch(() => (this.known = undefined));
    return asked;
  }

  private async compareFiles(): Promise<boolean> {
    if (this.filter.mimeTypes.length > 0) return true;
    const [files, known] = await Promise.all([this.total('files'), this.countPlaced('files')]);
    return files.count === known.count;
  }

  private async readPage(
    placement: Placement,
    limit: number,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<ListedPage> {
    const asked = await this.filterOf(placement);
    // Without such a filter everything is read, and what belongs elsewhere is left out.
    const filter = asked ?? (placement === 'files' ? this.filter : undefined);
    if (filter === undefined) return { items: [], last: '' };
    const page = await this.stores.binaryData.page(
      { filter, order: this.order, limit, after },
      signal,
    );
    // A service may answer fewer than it was asked for: only an empty page is the end for certain.
    const isAll = after === undefined && page.items.length >= page.total.count;
    const isLast = page.items.length === 0 || isAll;
    const items = asked
      ? page.items
      : page.items.filter(({ mimeType }) => placementOfType(mimeType) === placement);
    return { items, last: isLast ? '' : page.last };
  }

  private stop(): void {
    this.stopping.abort();
    for (const listing of this.listings.values()) listing.stop();
  }
}
