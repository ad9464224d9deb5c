import type { ResultSort, ResultStatus, ResultView } from '../../src/shared/query/results';
import type { ResultsHost } from './resultsContext';

export interface ArrangementEvents {
  /** Other rows are at all places. */
  readonly onArranged: () => void;
  /** Sorting or finding has begun or is over. */
  readonly onWork: () => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Which rows of a result are shown, and in which order. In the order of the answer they are shown as they
 * come; sorted ones and those that have a text are arranged by the host, and once more when all have come.
 */
export class Arrangement {
  private result: string | undefined;
  /** What is wanted, and what is shown as long as that is not there. */
  private wanted: Omit<ResultView, 'result'> = {};
  private shown: Omit<ResultView, 'result'> = {};
  /** Rows of what is shown when the host arranged it, and how many had come until then. */
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
  get sort(): ResultSort | undefined {
    return this.wanted.sort;
  }

  get find(): string | undefined {
    return this.wanted.find;
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

  /** Another result is shown. A text to find is looked for in it as well; a sort is of its columns. */
  begin(result: string): void {
    this.stop();
    this.result = result;
    const { find } = this.wanted;
    this.wanted = find === undefined ? {} : { find };
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

  setSort(sort: ResultSort | undefined): void {
    const { find } = this.wanted;
    this.want({ ...(sort && { sort }), ...(find !== undefined && { find }) });
  }

  /** @param text empty for all rows. */
  setFind(text: string): void {
    const { sort } = this.wanted;
    if (text === (this.wanted.find ?? '')) return;
    this.want({ ...(sort && { sort }), ...(text !== '' && { find: text }) });
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

  private want(wanted: Omit<ResultView, 'result'>): void {
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
    const { result, wanted, came } = this;
    if (result === undefined || came === 0) return;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.events.onWork();
    try {
      const view = { result, ...wanted };
      const { rows } = await this.host.request('arrangeResult', view, asking.signal);
      if (this.asking !== asking) return;
      this.asking = undefined;
      this.shown = wanted;
      this.arranged = rows;
      this.arrangedOf = came;
      this.events.onArranged();
    } catch (error) {
      if (this.asking !== asking) return;
      this.asking = undefined;
      this.wanted = this.shown;
      this.events.onFailure(error);
    }
  }
}

function isArranged({ sort, find }: Omit<ResultView, 'result'>): boolean {
  return sort !== undefined || find !== undefined;
}
