import type { CaptureFilter } from '../../model/captureFilter';
import type { Reading } from '../../model/reading';
import type { CaptureOrder } from '../../stores/captureOrder';
import type { ReadingsPage, ReadingsStore } from '../../stores/readingsStore';
import { kindOf } from '../tables/cellText';
import { DataColumns } from '../tables/dataColumns';
import { jsonText } from '../tables/jsonText';
import { PAYLOAD_ROOT } from './tableColumn';

/** Enough for a screen and a bit: the first rows are seen soon. */
const FIRST_PAGE = 500;
/** As many as the service gives at once. */
const LARGEST_PAGE = 10_000;

/** How much of a selection is kept in memory at most. */
export interface ListingBounds {
  readonly rows: number;
  /** Of payloads, as JSON. */
  readonly characters: number;
}

export const LISTING_BOUNDS: ListingBounds = { rows: 200_000, characters: 128 * 1024 * 1024 };

/**
 * The readings that a filter selects, as far as they were read, in one order. Those that arrive later do not
 * move the ones before them.
 */
export class ReadingsListing {
  readonly columns = new DataColumns(PAYLOAD_ROOT);
  private readonly rows: Reading[] = [];
  private readonly numeric = new Set<number>();
  private underWay: Promise<void> | undefined;
  private last: string | undefined;
  private total: number | undefined;
  private atEnd = false;
  private characters = 0;
  private hasFurther = false;

  constructor(
    private readonly store: Pick<ReadingsStore, 'page'>,
    readonly filter: CaptureFilter,
    readonly order: CaptureOrder,
    private readonly bounds = LISTING_BOUNDS,
  ) {}

  /** What was read so far. */
  get read(): readonly Reading[] {
    return this.rows;
  }

  /** How many the filter selects; undefined until the first are read. */
  get count(): number | undefined {
    return this.atEnd ? this.rows.length : this.total;
  }

  /** Whether there is nothing more to read. */
  get isComplete(): boolean {
    return this.atEnd;
  }

  /** Whether no more is read because too much is in memory. */
  get isFull(): boolean {
    const { rows, characters, bounds } = this;
    return !this.atEnd && (rows.length >= bounds.rows || characters >= bounds.characters);
  }

  /** The columns in which a number was read. */
  get numericColumns(): ReadonlySet<number> {
    return this.numeric;
  }

  /** Whether values found no column because there are too many. */
  get hasFurtherValues(): boolean {
    return this.hasFurther;
  }

  /**
   * Reads on until so many rows are there, or as many as there are or may be. What was read stays when it
   * fails, and the next call goes on from there.
   * @throws FleetError
   */
  async readUpTo(
    wanted: number,
    signal?: AbortSignal,
    onProgress?: (rows: number) => void,
  ): Promise<void> {
    while (this.rows.length < wanted && !this.atEnd && !this.isFull) {
      signal?.throwIfAborted();
      const limit = this.pageSize(wanted);
      // One page serves all who wait for it: it is not aborted when one of them stops waiting.
      this.underWay ??= this.readPage(limit).finally(() => (this.underWay = undefined));
      await this.underWay;
      onProgress?.(this.rows.length);
    }
    signal?.throwIfAborted();
  }

  private pageSize(wanted: number): number {
    const { rows, bounds } = this;
    const missing = Math.max(wanted - rows.length, FIRST_PAGE);
    return Math.min(missing, LARGEST_PAGE, bounds.rows - rows.length);
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
      this.characters += jsonText(reading.data).length;
      const further = this.columns.read(reading.data, (column, value) => {
        if (kindOf(value) === 'number') this.numeric.add(column);
      });
      if (further) this.hasFurther = true;
    }
    // Spares the question whose answer is an empty page.
    if (this.rows.length >= count) this.atEnd = true;
  }
}
