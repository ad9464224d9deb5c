import type { ReadingOrder, ReadingProgress, ReadingView } from '../../../src/shared/data/readings';
import type { RowSort } from '../../../src/shared/tables';
import type { ViewedText } from '../../ui/table/cellViewer';
import type { SortDirection } from '../../ui/table/tableRow';
import type { DataContext } from '../dataContext';
import { MOST_READ } from './readingsStatus';

/** The column that all readings have. Rows come in its order. */
export const TIME_COLUMN = 'time';

const NOTHING: ReadingProgress = { read: 0, count: 0, full: false, further: false };

/** What names a listing to the host. */
type ListingSource = Pick<ReadingView, 'generation' | 'order'>;

/** The readings that a filter selects, as far as they are read, in an order. */
export class ReadingListing {
  private generation = 0;
  private known = NOTHING;
  private sorted: RowSort | undefined;
  private life = new AbortController();
  private reading: AbortController | undefined;
  private isStarted = false;

  /** @param onProgress called when more is known of it, and when reading on begins. */
  constructor(
    private readonly host: DataContext['host'],
    private direction: ReadingOrder,
    private readonly onProgress: () => void,
  ) {}

  get order(): ReadingOrder {
    return this.direction;
  }

  get sort(): RowSort | undefined {
    return this.sorted;
  }

  get progress(): ReadingProgress {
    return this.known;
  }

  get isReading(): boolean {
    return this.reading !== undefined;
  }

  /** Aborted once another listing is shown, or none. */
  get signal(): AbortSignal {
    return this.life.signal;
  }

  get source(): ListingSource {
    return { generation: this.generation, order: this.order };
  }

  get view(): ReadingView {
    return { ...this.source, ...(this.sort && { sort: this.sort }) };
  }

  /** What names a row, or a cell, to the host. */
  placeOf({ place, column }: ViewedText) {
    return { ...this.view, place, ...(column !== undefined && { column }) };
  }

  /** Whether this is what is read. */
  isOf(generation: number): boolean {
    return this.isStarted && this.generation === generation;
  }

  /** Starts over, sorted by time, as another filter is at work or the order is another one. */
  begin({ generation = this.generation, order = this.order }: Partial<ListingSource> = {}): void {
    this.stop();
    this.life = new AbortController();
    this.generation = generation;
    this.direction = order;
    this.sorted = undefined;
    this.known = NOTHING;
    this.isStarted = true;
  }

  stop(): void {
    this.life.abort();
    this.stopReading();
    this.isStarted = false;
  }

  /** Takes over how far it is read. */
  take({ read, count, full, further }: ReadingProgress): void {
    this.known = { read, count, full, further };
    this.onProgress();
  }

  /** The same, where it is told of this listing. */
  heard(told: ReadingProgress & ListingSource): void {
    if (this.isSource(told)) this.take(told);
  }

  /** @returns rows as they are sorted; undefined where nobody waits for them any more. */
  async rows(start: number, end: number, columns: number) {
    const { signal } = this.life;
    const answer = await this.host.request(
      'readingRows',
      { ...this.view, start, end, columns },
      signal,
    );
    return signal.aborted ? undefined : answer;
  }

  /** Reads on, up to what is read at most, until `stopReading`. */
  async readMore(): Promise<void> {
    const asked = this.source;
    const reading = new AbortController();
    this.reading = reading;
    this.onProgress();
    try {
      const upTo = MOST_READ;
      const done = await this.host.request('readMoreReadings', { ...asked, upTo }, reading.signal);
      if (this.isSource(asked)) this.take(done);
    } catch (error) {
      if (!reading.signal.aborted) throw error;
    } finally {
      this.reading = undefined;
    }
  }

  stopReading(): void {
    this.reading?.abort();
  }

  /** Sorts by a column: up, then down, then by time again. */
  sortBy(column: string): void {
    const { sort } = this;
    if (sort?.column !== column) this.sorted = { column, descending: false };
    else this.sorted = sort.descending ? undefined : { column, descending: true };
  }

  directionOf(column: string): SortDirection | undefined {
    const { sort, order } = this;
    if (column !== (sort?.column ?? TIME_COLUMN)) return undefined;
    const descending = sort ? sort.descending : order === 'newestFirst';
    return descending ? 'descending' : 'ascending';
  }

  private isSource({ generation, order }: ListingSource): boolean {
    return generation === this.generation && order === this.order;
  }
}
