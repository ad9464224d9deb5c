import * as l10n from '@vscode/l10n';
import type {
  ReadingOrder,
  ReadingProgress,
  ReadingSort,
  ReadingView,
} from '../../../src/shared/data/readings';
import type { CellTarget } from '../../ui/table/cellViewer';
import type { SortDirection } from '../../ui/table/tableRow';
import type { DataContext } from '../dataContext';
import { element, toolButton } from '../../ui/elements';

/** The column that all readings have and by which rows are sorted initially. */
export const TIME_COLUMN = 'time';

const NOTHING: ReadingProgress = { read: 0, count: 0, full: false, hasOverflow: false };

/** The fields that identify a listing to the host. */
type ListingSource = Pick<ReadingView, 'generation' | 'order'>;

/** The loaded readings that match a filter, in an order. */
export class ReadingListing {
  private generation = 0;
  private known = NOTHING;
  private sorted: ReadingSort | undefined;
  private life = new AbortController();
  private reading: AbortController | undefined;
  private isStarted = false;

  /** @param onProgress called when more of the listing is loaded and when loading continues. */
  constructor(
    private readonly host: DataContext['host'],
    private direction: ReadingOrder,
    private readonly onProgress: () => void,
  ) {}

  get order(): ReadingOrder {
    return this.direction;
  }

  get sort(): ReadingSort | undefined {
    return this.sorted;
  }

  get progress(): ReadingProgress {
    return this.known;
  }

  get isReading(): boolean {
    return this.reading !== undefined;
  }

  /** Signal that is aborted when another listing, or none, is shown. */
  get signal(): AbortSignal {
    return this.life.signal;
  }

  get source(): ListingSource {
    return { generation: this.generation, order: this.order };
  }

  get view(): ReadingView {
    return { ...this.source, ...(this.sort && { sort: this.sort }) };
  }

  /** Converts a row or cell to the reference that the host expects. */
  toCellTarget({ rowIndex, column }: CellTarget) {
    return { ...this.view, index: rowIndex, ...(column !== undefined && { column }) };
  }

  /** Returns true if this listing belongs to a generation. */
  isCurrent(generation: number): boolean {
    return this.isStarted && this.generation === generation;
  }

  /** Starts a new listing after the filter or the order changed. Resets the sort order to time. */
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

  /** Applies the loading progress. */
  take({ read, count, full, hasOverflow }: ReadingProgress): void {
    this.known = { read, count, full, hasOverflow };
    this.onProgress();
  }

  /** Applies the loading progress if it belongs to this listing. */
  receive(progress: ReadingProgress & ListingSource): void {
    if (this.isSource(progress)) this.take(progress);
  }

  /**
   * Loads a range of rows in the sorted order.
   * @returns the rows; undefined if the request was superseded.
   */
  async rows(start: number, end: number, columns: number) {
    const { signal } = this.life;
    const answer = await this.host.request(
      'readingRows',
      { ...this.view, start, end, columns },
      signal,
    );
    return signal.aborted ? undefined : answer;
  }

  /** Continues loading until the maximum is reached or `stopReading` is called. */
  async readMore(): Promise<void> {
    const source = this.source;
    const reading = new AbortController();
    this.reading = reading;
    this.onProgress();
    try {
      const upTo = MAX_READ_ROWS;
      const done = await this.host.request('readMoreReadings', { ...source, upTo }, reading.signal);
      if (this.isSource(source)) this.take(done);
    } catch (error) {
      if (!reading.signal.aborted) throw error;
    } finally {
      this.reading = undefined;
    }
  }

  stopReading(): void {
    this.reading?.abort();
  }

  /** Sorts by a column: ascending, then descending, then by time again. */
  sortBy(column: string): void {
    const { sort } = this;
    const among = this.known.read;
    if (sort?.column !== column) this.sorted = { column, descending: false, among };
    else this.sorted = sort.descending ? undefined : { column, descending: true, among };
  }

  /**
   * Includes the readings that were loaded since the rows were sorted.
   * @returns false if there are none, or if the rows aren't sorted
   */
  sortAgain(): boolean {
    const { sort } = this;
    const among = this.known.read;
    if (sort === undefined || sort.among === among) return false;
    this.sorted = { ...sort, among };
    return true;
  }

  getSortDirection(column: string): SortDirection | undefined {
    const { sort, order } = this;
    if (column !== (sort?.column ?? TIME_COLUMN)) return undefined;
    const descending = sort ? sort.descending : order === 'newestFirst';
    return descending ? 'descending' : 'ascending';
  }

  private isSource({ generation, order }: ListingSource): boolean {
    return generation === this.generation && order === this.order;
  }
}

/** Maximum number of rows that the host buffers; `Read All` stops there. */
const MAX_READ_ROWS = 200_000;

export interface StatusFacts {
  readonly progress: ReadingProgress;
  readonly sort: ReadingSort | undefined;
  readonly selected: number;
  /** True while more rows are loading at the user's request. */
  readonly reading: boolean;
}

export interface StatusActions {
  readonly readMore: () => void;
  readonly stop: () => void;
  readonly numberText: (value: number) => string;
}

/**
 * Status line below the table, with the number of loaded rows, the total number of rows, and notes.
 */
export class ReadingsStatus {
  readonly element = element('div', { class: 'readings-status' });
  private readonly text = element('span', { role: 'status' });
  private readonly more: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;

  constructor(private readonly actions: StatusActions) {
    this.more = toolButton('', () => actions.readMore(), { focusKey: 'read more' });
    this.stop = toolButton(l10n.t('Stop'), () => actions.stop(), { focusKey: 'stop reading' });
    this.element.append(this.text, this.more, this.stop);
    this.element.hidden = true;
  }

  show({ progress, sort, selected, reading }: StatusFacts): void {
    const { actions } = this;
    const { read, count, full, hasOverflow } = progress;
    const [readText, countText] = [actions.numberText(read), actions.numberText(count)];
    const isAll = read >= count;
    const main =
      sort !== undefined && sort.among < count
        ? l10n.t(
            'Sorted within the {0} of {1} readings loaded so far',
            actions.numberText(sort.among),
            countText,
          )
        : isAll
          ? l10n.t('Loaded all {0} readings', readText)
          : l10n.t('Loaded {0} of {1} readings', readText, countText);
    const texts = [reading ? l10n.t('Loading {0} of {1}…', readText, countText) : main];
    if (full) {
      texts.push(
        l10n.t('No more items fit into memory. Narrow the filter, or export all of them.'),
      );
    }
    if (hasOverflow) {
      texts.push(l10n.t("Some values aren't shown in columns because there are too many."));
    }
    if (selected === 1) texts.push(l10n.t('1 row selected'));
    if (selected > 1) texts.push(l10n.t('{0} rows selected', actions.numberText(selected)));
    const text = texts.join(' · ');
    if (this.text.textContent !== text) this.text.textContent = text;
    this.more.textContent =
      count <= MAX_READ_ROWS
        ? l10n.t('Load All')
        : l10n.t('Load {0}', actions.numberText(MAX_READ_ROWS));
    this.more.hidden = isAll || full || reading;
    this.stop.hidden = !reading;
    this.element.hidden = count === 0;
  }
}
