import type { ResultFilter, ResultStatus, ResultView } from '../../src/shared/query/results';
import type { RowSort } from '../../src/shared/tables';
import type { ResultsHost } from './resultsContext';

type ViewOptions = Omit<ResultView, 'result'>;

export interface ArrangementEvents {
  /** Called when all rows changed. */
  readonly onArranged: () => void;
  /** Called when rows were added after the shown rows, which stay unchanged. */
  readonly onGrown: () => void;
  /** Called when sorting, searching, or filtering starts or finishes. */
  readonly onWork: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The rows in a result to show, and their order. In the original order, rows are shown as they
 * arrive. The host sorts, searches, and filters rows, and does so again once all rows have arrived.
 */
export class Arrangement {
  private result: string | undefined;
  /**
   * The requested view options; `shown` are the options that apply until the requested options are
   * available.
   */
  private requested: ViewOptions = {};
  private shown: ViewOptions = {};
  /**
   * Number of rows in the last view that the host created, and number of rows that had arrived at
   * that time.
   */
  private arranged = 0;
  private arrangedTotal = 0;
  private came = 0;
  private isOver = false;
  private abortController: AbortController | undefined;

  constructor(
    private readonly host: ResultsHost,
    private readonly events: ArrangementEvents,
  ) {}

  /** The view that is currently shown. */
  get view(): ResultView {
    return { result: this.result ?? '', ...this.shown };
  }

  /** The requested sort order. */
  get sort(): RowSort | undefined {
    return this.requested.sort;
  }

  get find(): string | undefined {
    return this.requested.find;
  }

  /** True if some rows that have arrived are hidden. */
  get hidesRows(): boolean {
    return hidesRows(this.shown);
  }

  /** True if column filters are requested. */
  get isToFilter(): boolean {
    return this.requested.filters !== undefined;
  }

  /** True if the shown rows are sorted, searched, or filtered. */
  get isArranged(): boolean {
    return isArranged(this.shown);
  }

  get isWorking(): boolean {
    return this.abortController !== undefined;
  }

  /** Number of shown rows. */
  get count(): number {
    return this.isArranged ? this.arranged : this.came;
  }

  /** Total number of rows, including hidden rows. */
  get among(): number {
    return this.isArranged ? this.arrangedTotal : this.came;
  }

  /**
   * Starts showing another result. The search text also applies to the new result; the sort order
   * and filters are reset because they refer to the previous result's columns.
   */
  begin(result: string): void {
    this.stop();
    this.result = result;
    this.requested = omitUndefinedOptions({ find: this.requested.find });
    this.shown = {};
    this.came = 0;
    this.isOver = false;
  }

  take({ rows, state }: ResultStatus): void {
    const before = this.came;
    const wasOver = this.isOver;
    this.came = rows;
    this.isOver = state !== 'waiting' && state !== 'running';
    if (!isArranged(this.requested)) return;

    const isFirst = before === 0 && rows > 0;
    const isLast = this.isOver && !wasOver && this.arrangedTotal < rows;
    if (isFirst || isLast) void this.arrange();
  }

  setSort(sort: RowSort | undefined): void {
    this.request(omitUndefinedOptions({ ...this.requested, sort }));
  }

  /** @param text the search text; empty to show all rows. */
  setFind(text: string): void {
    const find = text === '' ? undefined : text;
    if (find !== this.requested.find) {
      this.request(omitUndefinedOptions({ ...this.requested, find }));
    }
  }

  /** @param filters the column filters; empty to show all rows. */
  setFilters(filters: readonly ResultFilter[]): void {
    const options = omitUndefinedOptions({
      ...this.requested,
      filters: filters.length > 0 ? filters : undefined,
    });
    if (!isSame(options, this.requested)) this.request(options);
  }

  /** Applies the view options again, to the rows that have arrived so far. */
  again(): void {
    if (isArranged(this.requested)) void this.arrange();
  }

  stop(): void {
    this.abortController?.abort();
    this.abortController = undefined;
    this.arranged = 0;
    this.arrangedTotal = 0;
  }

  private request(options: ViewOptions): void {
    this.requested = options;
    if (isArranged(options)) {
      void this.arrange();
    } else {
      this.abortController?.abort();
      this.abortController = undefined;
      this.shown = options;
      this.events.onArranged();
    }
  }

  private async arrange(): Promise<void> {
    const { result, requested } = this;
    if (result === undefined || this.came === 0) return;

    this.abortController?.abort();
    const controller = new AbortController();
    this.abortController = controller;
    this.events.onWork();
    try {
      const view = { result, ...requested };
      const { rows, among } = await this.host.request('arrangeResult', view, controller.signal);
      if (this.abortController !== controller) return;

      const isGrown = requested.sort === undefined && isSame(requested, this.shown);
      this.abortController = undefined;
      this.shown = requested;
      this.arranged = rows;
      this.arrangedTotal = among;
      if (isGrown) this.events.onGrown();
      else this.events.onArranged();
    } catch (error) {
      if (this.abortController !== controller) return;

      this.abortController = undefined;
      this.requested = this.shown;
      this.events.onFailure(error);
    }
  }
}

/** Returns the options without undefined members. */
function omitUndefinedOptions({ sort, find, filters }: ViewOptions): ViewOptions {
  return {
    ...(sort && { sort }),
    ...(find !== undefined && { find }),
    ...(filters && { filters }),
  };
}

function isSame(one: ViewOptions, other: ViewOptions): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isArranged(options: ViewOptions): boolean {
  return options.sort !== undefined || hidesRows(options);
}

function hidesRows({ find, filters }: ViewOptions): boolean {
  return find !== undefined || filters !== undefined;
}
