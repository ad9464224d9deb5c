import type { CaptureFilter, CaptureOrder } from '../model/captureFilter';
import type { Reading } from '../model/reading';
import type { ReadingsPage, ReadingsStore } from '../stores/readingsStore';
import { formatJson, getCellKind } from './tables/formatCell';
import { type DataColumn, DataColumns, valueAt } from './tables/dataColumns';
import { isoMicros } from '../model/timestamp';
import type { CopiedColumn } from './tables/copyRows';
import type { DataValue } from './tables/dataValue';
import { atOnce } from '../../base/slices';
import { SortKeys } from './tables/sortKeys';

/** Size of the first page: slightly more than a screen, so that the first rows appear quickly. */
const FIRST_PAGE = 500;
/** Maximum number of readings that the service returns in one call. */
const MAX_PAGE_SIZE = 10_000;

/** Limits on the matching readings that are kept in memory. */
export interface ListingBounds {
  readonly rows: number;
  /** Maximum total length of the payloads, formatted as JSON. */
  readonly characters: number;
}

const LISTING_BOUNDS: ListingBounds = { rows: 200_000, characters: 128 * 1024 * 1024 };

/**
 * Readings that match a filter, in a fixed order and read on demand. New readings don't change the
 * positions of existing ones.
 */
export class ReadingsListing {
  readonly columns = new DataColumns(PAYLOAD_ROOT);
  private readonly rows: Reading[] = [];
  private readonly numeric = new Set<number>();
  private inProgress: Promise<void> | undefined;
  private last: string | undefined;
  private total: number | undefined;
  private atEnd = false;
  private characters = 0;
  private hasOverflow = false;

  constructor(
    private readonly store: Pick<ReadingsStore, 'page'>,
    readonly filter: CaptureFilter,
    readonly order: CaptureOrder,
    private readonly bounds = LISTING_BOUNDS,
  ) {}

  /** Readings that have been read so far. */
  get read(): readonly Reading[] {
    return this.rows;
  }

  /** Number of matches; undefined until the first page has been read. */
  get count(): number | undefined {
    return this.atEnd ? this.rows.length : this.total;
  }

  /** True if all matches have been read. */
  get isComplete(): boolean {
    return this.atEnd;
  }

  /** True if reading has stopped because the memory limit was reached. */
  get isFull(): boolean {
    const { rows, characters, bounds } = this;
    return !this.atEnd && (rows.length >= bounds.rows || characters >= bounds.characters);
  }

  /** Columns that contain at least one number. */
  get numericColumns(): ReadonlySet<number> {
    return this.numeric;
  }

  /** True if some values have no column because of the column limit. */
  get hasOverflowValues(): boolean {
    return this.hasOverflow;
  }

  /**
   * Reads until this number of rows, the end, or the memory limit is reached. After a failure,
   * keeps the rows that were read. The next call continues from there.
   * @throws FleetError
   */
  async readUpTo(
    rowCount: number,
    signal?: AbortSignal,
    onProgress?: (rows: number) => void,
  ): Promise<void> {
    while (this.rows.length < rowCount && !this.atEnd && !this.isFull) {
      signal?.throwIfAborted();
      const limit = this.pageSize(rowCount);
      // One page serves all waiting callers, so it isn't aborted when a single caller stops
      // waiting.
      this.inProgress ??= this.readPage(limit).finally(() => (this.inProgress = undefined));
      await this.inProgress;
      onProgress?.(this.rows.length);
    }
    signal?.throwIfAborted();
  }

  private pageSize(rowCount: number): number {
    const { rows, bounds } = this;
    const missing = Math.max(rowCount - rows.length, FIRST_PAGE);
    return Math.min(missing, MAX_PAGE_SIZE, bounds.rows - rows.length);
  }

  private async readPage(limit: number): Promise<void> {
    const { filter, order, last } = this;
    this.take(await this.store.page({ filter, order, limit, after: last }));
  }

  private take({ readings, last, count }: ReadingsPage): void {
    this.total = count;
    this.atEnd = readings.length === 0;
    if (this.atEnd) return;
    this.last = last;
    for (const reading of readings) {
      this.rows.push(reading);
      this.characters += formatJson(reading.data).length;
      const overflow = this.columns.read(reading.data, (column, value) => {
        if (getCellKind(value) === 'number') this.numeric.add(column);
      });
      if (overflow) this.hasOverflow = true;
    }
    // Avoids a call that would return an empty page.
    if (this.rows.length >= count) this.atEnd = true;
  }
}

/** Columns that every reading has. They precede the payload columns. */
export const FIXED_COLUMNS = ['time', 'machine', 'part', 'component', 'method', 'tags'] as const;
export type FixedColumn = (typeof FIXED_COLUMNS)[number];

/** Prefix for the names of payload columns. */
export const PAYLOAD_ROOT = 'data';

/** Column of the table: either a fixed column, which every reading has, or a payload column. */
export type TableColumn = FixedColumn | DataColumn;

/** Returns a reading's value in a column; undefined if the reading has no such value. */
export function valueIn(reading: Reading, column: TableColumn): DataValue | undefined {
  if (typeof column !== 'string') return valueAt(reading.data, column.path);
  const { source, tags, at } = reading;
  switch (column) {
    case 'time':
      return isoMicros(at);
    case 'machine':
      return source.machineName;
    case 'part':
      return source.partName;
    case 'component':
      return source.componentName;
    case 'method':
      return source.method;
    case 'tags':
      return tags.length === 0 ? undefined : [...tags];
  }
}

/** Returns a column with its name for the clipboard, where names aren't localized. */
export function copiedColumn(column: TableColumn): CopiedColumn<Reading> {
  return {
    name: typeof column === 'string' ? column : column.name,
    valueIn: (reading) => valueIn(reading, column),
  };
}

/**
 * Returns the value that determines a reading's position in the sort order; undefined if the
 * reading has no such value.
 */
export type SortKey = (reading: Reading) => DataValue | undefined;

/** Returns the indexes of readings, sorted by a key. */
export function sortReadingIndexes(
  readings: readonly Reading[],
  toKey: SortKey,
  descending: boolean,
): Uint32Array {
  const keys = new SortKeys();
  for (const reading of readings) keys.add(toKey(reading));
  return atOnce(keys.order(descending));
}
