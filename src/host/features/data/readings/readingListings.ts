import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { ReadingsListing } from '../../../../core/data/readings/readingsListing';
import { sortReadingIndexes } from '../../../../core/data/readings/sortReadings';
import {
  FIXED_COLUMNS,
  type TableColumn,
  valueIn,
} from '../../../../core/data/readings/tableColumn';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { Reading } from '../../../../core/model/reading';
import type { ReadingsStore } from '../../../../core/stores/readingsStore';
import type {
  ReadingListingRef,
  ReadingOrder,
  ReadingView,
} from '../../../../shared/data/readings';

/** Applied filter, and the source of its readings. */
export interface AppliedReadings {
  readonly browse: { readonly filter: CaptureFilter; readonly signal: AbortSignal };
  readonly stores: { readonly readings: Pick<ReadingsStore, 'count' | 'latest' | 'page'> };
}

export interface ReadingSession {
  /** @throws `conflict` if another filter has been applied. */
  of(generation: number): AppliedReadings;
}

interface SortedListing {
  readonly column: string;
  readonly descending: boolean;
  readonly length: number;
  readonly indexes: Uint32Array;
}

/** Loaded readings of a panel: one listing for each application of its filter and sort order. */
export class ReadingListings {
  private readonly listings = new WeakMap<AppliedReadings, Map<ReadingOrder, ReadingsListing>>();
  private readonly sorted = new WeakMap<ReadingsListing, SortedListing>();

  constructor(private readonly session: ReadingSession) {}

  /** @throws `conflict` if another filter has been applied. */
  listing({ generation, order }: ReadingListingRef): ReadingsListing {
    const applied = this.session.of(generation);
    const own = this.listings.get(applied) ?? new Map<ReadingOrder, ReadingsListing>();
    this.listings.set(applied, own);
    const known = own.get(order);
    if (known) return known;
    const { browse, stores } = applied;
    // Aborts when another filter is applied.
    const page: ReadingsStore['page'] = (request) => stores.readings.page(request, browse.signal);
    const made = new ReadingsListing({ page }, browse.filter, order);
    own.set(order, made);
    return made;
  }

  /** Returns the loaded rows of a view. */
  rows(view: ReadingView, start: number, end: number): readonly Reading[] {
    const listing = this.listing(view);
    const { read } = listing;
    if (!view.sort) return read.slice(start, end);
    const indexes = this.getSortedIndexes(listing, view.sort);
    return [...indexes.subarray(start, end)].flatMap((index) => read[index] ?? []);
  }

  /** @throws `notFound` */
  row(view: ReadingView, index: number): Reading {
    const [row] = this.rows(view, index, index + 1);
    if (!row)
      throw new FleetError('notFound', vscode.l10n.t('This reading is no longer in memory.'));
    return row;
  }

  /** @throws `notFound` */
  column(ref: ReadingListingRef, id: string): TableColumn {
    return findColumn(this.listing(ref), id);
  }

  private getSortedIndexes(
    listing: ReadingsListing,
    { column: id, descending }: NonNullable<ReadingView['sort']>,
  ): Uint32Array {
    const { read } = listing;
    const known = this.sorted.get(listing);
    const isSame = known?.column === id && known.descending === descending;
    if (known && isSame && known.length === read.length) return known.indexes;
    const column = findColumn(listing, id);
    const indexes = sortReadingIndexes(read, (reading) => valueIn(reading, column), descending);
    this.sorted.set(listing, { column: id, descending, length: read.length, indexes });
    return indexes;
  }
}

/** Returns a column by its webview ID. */
function findColumn({ columns }: ReadingsListing, id: string): TableColumn {
  const fixed = FIXED_COLUMNS.find((name) => name === id);
  const column = fixed ?? (/^d\d+$/.test(id) ? columns.list[Number(id.slice(1))] : undefined);
  if (column === undefined)
    throw new FleetError('notFound', vscode.l10n.t("This column doesn't exist."));
  return column;
}
