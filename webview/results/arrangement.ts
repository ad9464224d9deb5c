import type { ResultFilter } from '../../src/shared/query/resultFilter';
import type { ResultStatus, ResultView } from '../../src/shared/query/results';
import type { RowSort } from '../../src/shared/tables';
import type { ResultsHost } from './resultsContext';

type Wanted = Omit<ResultView, 'result'>;

export interface ArrangementEvents {
  /** Other rows are at all places. */
  readonly onArranged: () => void;
  /** Further rows are after those that are shown, which stay. */
  readonly onGrown: () => void;
  /** Sorting, finding or filtering has begun or is over. */
  readonly onWork: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Which rows of a result are shown, and in which order. In the order of the answer they are shown as they
 * come; sorted ones, those that have a text and those that filters let through are arranged by the host, and
 * once more when all have come.
 */
export class Arrangement {
  private result: string | undefined;
  /** What is wanted, and what is shown as long as that is not there. */
  private wanted: Wanted = {};
  private shown: Wanted = {};
  /** Rows of what is shown when the host arranged it, and how many had come to it until then. */
  private arranged = 0;
  private arrangedOf = 0;
  private came = 0;
  private isOver = false;
  private asking: AbortController | undefined;

  constructor(
    private readonly host: ResultsHost,
    private readonly events: ArrangementEvents,
  ) {}

  /** What is shown. */
  get view(): ResultView {
    return { result: this.result ?? '', ...this.shown };
  }

  /** What is wanted to be shown. */
  get sort(): RowSort | undefined {
    return this.wanted.sort;
  }

  get find(): string | undefined {
    return this.wanted.find;
  }

  /** Whether rows that came are not shown. */
  get hidesRows(): boolean {
    return hidesRows(this.shown);
  }

  /** Whether rows are wanted to be filtered by columns. */
  get isToFilter(): boolean {
    return this.wanted.filters !== undefined;
  }

  /** Whether rows are shown otherwise than they come. */
  get isArranged(): boolean {
    return isArranged(this.shown);
  }

  get isWorking(): boolean {
    return this.asking !== undefined;
  }

  /** How many rows are shown. */
  get count(): number {
    return this.isArranged ? this.arranged : this.came;
  }

  /** Among how many rows. */
  get among(): number {
    return this.isArranged ? this.arrangedOf : this.came;
  }

  /** Another result is shown. A text to find is looked for in it as well; a sort and filters are of its columns. */
  begin(result: string): void {
    this.stop();
    this.result = result;
    this.wanted = wantedOf({ find: this.wanted.find });
    this.shown = {};
    this.came = 0;
    this.isOver = false;
  }

  take({ rows, state }: ResultStatus): void {
    const before = this.came;
    const wasOver = this.isOver;
    this.came = rows;
    this.isOver = state !== 'waiting' && state !== 'running';
    if (!isArranged(this.wanted)) return;
    const isFirst = before === 0 && rows > 0;
    const isLast = this.isOver && !wasOver && this.arrangedOf < rows;
    if (isFirst || isLast) void this.arrange();
  }

  setSort(sort: RowSort | undefined): void {
    this.want(wantedOf({ ...this.wanted, sort }));
  }

  /** @param text empty for all rows. */
  setFind(text: string): void {
    const find = text === '' ? undefined : text;
    if (find !== this.wanted.find) this.want(wantedOf({ ...this.wanted, find }));
  }

  /** @param filters none for all rows. */
  setFilters(filters: readonly ResultFilter[]): void {
    const wanted = wantedOf({
      ...this.wanted,
      ...{ filters: filters.length > 0 ? filters : undefined },
    });
    if (!isSame(wanted, this.wanted)) this.want(wanted);
  }

  /** Arranges the rows that have come by now. */
  again(): void {
    if (isArranged(this.wanted)) void this.arrange();
  }

  stop(): void {
    this.asking?.abort();
    this.asking = undefined;
    this.arranged = 0;
    this.arrangedOf = 0;
  }

  private want(wanted: Wanted): void {
    this.wanted = wanted;
    if (isArranged(wanted)) void this.arrange();
    else {
      this.asking?.abort();
      this.asking = undefined;
      this.shown = wanted;
      this.events.onArranged();
    }
  }

  private async arrange(): Promise<void> {
    const { result, wanted } = this;
    if (result === undefined || this.came === 0) return;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.events.onWork();
    try {
      const view = { result, ...wanted };
      const { rows, among } = await this.host.request('arrangeResult', view, asking.signal);
      if (this.asking !== asking) return;
      const isGrown = wanted.sort === undefined && isSame(wanted, this.shown);
      this.asking = undefined;
      this.shown = wanted;
      this.arranged = rows;
      this.arrangedOf = among;
      if (isGrown) this.events.onGrown();
      else this.events.onArranged();
    } catch (error) {
      if (this.asking !== asking) return;
      this.asking = undefined;
      this.wanted = this.shown;
      this.events.onFailure(error);
    }
  }
}

/** Without members that say nothing. */
function wantedOf({ sort, find, filters }: Wanted): Wanted {
  return {
    ...(sort && { sort }),
    ...(find !== undefined && { find }),
    ...(filters && { filters }),
  };
}

function isSame(one: Wanted, other: Wanted): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isArranged(wanted: Wanted): boolean {
  return wanted.sort !== undefined || hidesRows(wanted);
}

function hidesRows({ find, filters }: Wanted): boolean {
  return find !== undefined || filters !== undefined;
}
