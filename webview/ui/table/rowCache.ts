/** Maximum number of cached rows before and after the drawn rows. */
const CACHED_ROWS = 1_000;
/** Maximum number of rows to prefetch beyond the drawn rows in the scroll direction. */
const AHEAD_ROWS = 100;
const CACHED_CELLS = 200_000;
const AHEAD_CELLS = 2_000;
/** Maximum number of cells per response. Receiving more cells takes longer than one frame. */
const CELLS_AT_ONCE = 4_000;
/** Assumed number of cells per row until the real number is known. */
const UNKNOWN_CELLS = 200;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Loads a range of rows (end exclusive). Resolves with fewer rows if the table has shrunk. */
export type FetchRows<Row> = (start: number, end: number) => Promise<readonly Row[]>;

export interface RowCacheOptions<Row> {
  readonly fetchRows: FetchRows<Row>;
  readonly onRows: () => void;
  readonly onFailure: (error: unknown) => void;
  /**
   * Returns the number of cells per row; 0 if unknown. Responses contain all cells in a row, so
   * wide rows are requested in small batches.
   */
  readonly cellsPerRow: () => number;
}

/** Cache of the rows near the viewport, by index. Requests missing rows, one request at a time. */
export class RowCache<Row> {
  private readonly rows = new Map<number, Row>();
  private requested = { start: 0, end: 0 };
  /** Scroll direction: 1 for down, -1 for up, 0 if the user hasn't scrolled yet. */
  private heading = 0;
  private end = 0;
  private isRequesting = false;
  private failed = false;
  /**
   * Number of times the cache was cleared. Responses to requests that were sent before the cache
   * was last cleared are discarded.
   */
  private life = 0;

  constructor(private readonly options: RowCacheOptions<Row>) {}

  at(index: number): Row | undefined {
    return this.rows.get(index);
  }

  /** Clears the cache because the rows changed. */
  clear(): void {
    this.life += 1;
    this.rows.clear();
    this.isRequesting = false;
    this.failed = false;
  }

  /** Adds rows that were loaded elsewhere. */
  put(start: number, rows: readonly Row[]): void {
    rows.forEach((row, index) => this.rows.set(start + index, row));
  }

  setEnd(end: number): void {
    this.end = end;
  }

  /** Resumes requesting missing rows after a failure. */
  retry(): void {
    this.failed = false;
    void this.requestMissing();
  }

  /** Sets the range of drawn rows. */
  request(start: number, end: number): void {
    this.heading = Math.sign(start - this.requested.start) || this.heading;
    this.requested = { start, end };
    const cachedMargin = this.countRows(CACHED_CELLS, CACHED_ROWS);
    for (const index of this.rows.keys()) {
      if (index < start - cachedMargin || index >= end + cachedMargin) this.rows.delete(index);
    }
    void this.requestMissing();
  }

  private async requestMissing(): Promise<void> {
    const missing = this.isRequesting || this.failed ? undefined : this.missing();
    if (!missing) return;

    const { life, requested, options } = this;
    this.isRequesting = true;
    try {
      const rows = await options.fetchRows(missing.start, missing.end);
      if (life !== this.life) return;

      this.isRequesting = false;
      this.put(missing.start, rows);
      // After an empty response, notifying the owner would cause an endless loop of requests for
      // the same range.
      if (rows.length > 0 || this.requested !== requested) options.onRows();
    } catch (error) {
      if (life !== this.life) return;

      this.isRequesting = false;
      this.failed = true;
      options.onFailure(error);
    }
  }

  private missing(): Span | undefined {
    const { requested, end, heading } = this;
    const drawn = this.gap(requested.start, Math.min(requested.end, end));
    const ahead = this.countRows(AHEAD_CELLS, AHEAD_ROWS);
    if (drawn) {
      const maxRows = this.countRows(CELLS_AT_ONCE, Infinity);
      if (drawn.end - drawn.start >= maxRows) {
        return { start: drawn.start, end: drawn.start + maxRows };
      }

      const [before, after] = [heading > 0 ? 0 : ahead, heading < 0 ? 0 : ahead];
      return { start: Math.max(drawn.start - before, 0), end: Math.min(drawn.end + after, end) };
    }
    // Prefetch rows, so that most rows are loaded before they are drawn.
    const next =
      heading < 0
        ? this.gap(Math.max(requested.start - ahead, 0), requested.start)
        : this.gap(Math.min(requested.end, end), Math.min(requested.end + ahead, end));
    return next && heading !== 0 && next.end - next.start > ahead / 2 ? next : undefined;
  }

  /** Returns the range of missing rows within a range (end exclusive). */
  private gap(start: number, end: number): Span | undefined {
    let [from, to] = [start, end];
    while (from < to && this.rows.has(from)) from += 1;

    while (to > from && this.rows.has(to - 1)) to -= 1;

    return from < to ? { start: from, end: to } : undefined;
  }

  private countRows(cells: number, maxRows: number): number {
    return Math.min(maxRows, Math.ceil(cells / (this.options.cellsPerRow() || UNKNOWN_CELLS)));
  }
}
