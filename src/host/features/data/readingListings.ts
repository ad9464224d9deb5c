import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import {
  FIXED_COLUMNS,
  PAYLOAD_ROOT,
  ReadingsListing,
  sortReadingIndexes,
  type TableColumn,
  valueIn,
} from '../../../core/data/readingsListing';
import type { CaptureFilter } from '../../../core/model/captureFilter';
import type { Reading } from '../../../core/model/reading';
import type { ReadingsStore } from '../../../core/stores/readingsStore';
import type {
  Latest,
  LatestSource,
  LatestValue,
  ReadingListingRef,
  ReadingOrder,
  ReadingSort,
  ReadingView,
} from '../../../shared/data/readings';
import { formatCell } from '../../../core/data/tables/formatCell';
import { DataColumns } from '../../../core/data/tables/dataColumns';
import { seriesKey } from '../../../core/data/tables/chartSeries';
import type { CaptureSource } from '../../../core/model/binaryItem';
import { toDisplayText } from '../../../core/model/displayText';
import { MICROS_PER_MILLISECOND } from '../../../core/model/timestamp';
import { getValueLabels } from '../../platform/text/tableStrings';

/** Applied filter, and its readings' source. */
export interface AppliedReadings {
  readonly browse: { readonly filter: CaptureFilter; readonly signal: AbortSignal };
  readonly stores: { readonly readings: Pick<ReadingsStore, 'count' | 'latest' | 'page'> };
}

export interface ReadingSession {
  /** @throws `conflict` if another filter has been applied. */
  of(generation: number): AppliedReadings;
}

interface SortedListing {
  readonly sort: ReadingSort;
  readonly indexes: Uint32Array;
}

/** A panel's loaded readings: one listing for each applied filter and sort order. */
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

  /** Returns a view's loaded rows. */
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
    if (!row) {
      throw new FleetError('notFound', vscode.l10n.t('This reading is no longer in memory.'));
    }
    return row;
  }

  /** @throws `notFound` */
  column(ref: ReadingListingRef, id: string): TableColumn {
    return findColumn(this.listing(ref), id);
  }

  private getSortedIndexes(listing: ReadingsListing, sort: ReadingSort): Uint32Array {
    const known = this.sorted.get(listing);
    if (known && isDeepStrictEqual(known.sort, sort)) return known.indexes;
    const column = findColumn(listing, sort.column);
    const indexes = sortReadingIndexes(
      listing.read.slice(0, sort.among),
      (reading) => valueIn(reading, column),
      sort.descending,
    );
    this.sorted.set(listing, { sort, indexes });
    return indexes;
  }
}

/** Returns a column by its webview ID. */
function findColumn({ columns }: ReadingsListing, id: string): TableColumn {
  const fixed = FIXED_COLUMNS.find((name) => name === id);
  const column = fixed ?? (/^d\d+$/.test(id) ? columns.list[Number(id.slice(1))] : undefined);
  if (column === undefined) {
    throw new FleetError('notFound', vscode.l10n.t("This column doesn't exist."));
  }
  return column;
}

/**
 * Maximum number of values to show for a latest reading. A payload can contain any number of
 * values.
 */
const MAX_VALUES = 50;

/** Latest readings from the resources that occur in the loaded readings. */
export class LatestReadings {
  constructor(
    private readonly session: ReadingSession,
    private readonly listings: ReadingListings,
  ) {}

  sources(ref: ReadingListingRef): { sources: readonly LatestSource[]; read: number } {
    const sources = [...this.getSources(ref)].map(([key, source]) => ({
      key,
      resource: resourceName(source),
      method: toDisplayText(source.method),
    }));
    sources.sort((a, b) => a.resource.localeCompare(b.resource, undefined, { numeric: true }));
    return { sources, read: this.listings.listing(ref).read.length };
  }

  /** @throws FleetError */
  async read(ref: ReadingListingRef, key: string, signal: AbortSignal): Promise<Latest> {
    const source = this.getSources(ref).get(key);
    if (!source) {
      throw new FleetError(
        'notFound',
        vscode.l10n.t('This resource is not in the loaded readings.'),
      );
    }
    const { stores } = this.session.of(ref.generation);
    const latest = await stores.readings.latest(source, signal);
    if (!latest) return { values: [] };
    const columns = new DataColumns(PAYLOAD_ROOT, MAX_VALUES);
    const labels = getValueLabels();
    const values: LatestValue[] = [];
    columns.read(latest.data, (column, value) => {
      const { name = '' } = columns.list[column] ?? {};
      values.push({ name: toDisplayText(shortName(name)), text: formatCell(value, labels) });
    });
    return { at: latest.at / MICROS_PER_MILLISECOND, values };
  }

  private getSources(ref: ReadingListingRef): ReadonlyMap<string, CaptureSource> {
    const { read } = this.listings.listing(ref);
    const sources = new Set(read.map(({ source }) => source));
    return new Map([...sources].map((source) => [seriesKey(source), source]));
  }
}

/** Returns a name without the prefix that all names share. */
function shortName(name: string): string {
  return name.replace(/^data\.(?:readings\.)?/, '');
}

/** Formats the source of readings, from the machine to the component. */
export function resourceName({ machineName, partName, componentName }: CaptureSource): string {
  const names = [machineName, partName, componentName].filter((name) => name !== '');
  return names.map((name) => toDisplayText(name)).join(' › ');
}
