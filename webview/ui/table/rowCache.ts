/** Rows that are kept before and after those that are drawn, at most. */
const KEPT_ROWS = 1_000;
/** Rows that are asked for beyond those that are drawn, where it is scrolled to, at most. */
const AHEAD_ROWS = 100;
const KEPT_CELLS = 200_000;
const AHEAD_CELLS = 2_000;
/** Cells of one answer: more take longer to be received than a frame lasts. */
const CELLS_AT_ONCE = 4_000;
/** Cells that a row is taken to have as long as that is not known. */
const UNKNOWN_CELLS = 200;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reads rows by their places, the end excluded. There may be fewer by now. */
export type FetchRows<Row> = (start: number, end: number) => Promise<readonly Row[]>;

export interface RowCacheOptions<Row> {
  readonly fetchRows: FetchRows<Row>;
  readonly onRows: () => void;
  readonly onFailure: (error: unknown) => void;
  /** How many cells a row has, 0 when unknown: all are sent, and wide rows are asked for in small numbers. */
  readonly cellsPerRow: () => number;
}

/** The rows near what is seen, by their places. Asks for those that are missing, one question at a time. */
export class RowCache<Row> {
  private readonly rows = new Map<number, Row>();
  private wanted = { start: 0, end: 0 };
  /** Where it is scrolled to: down, up, or nowhere yet. */
  private heading = 0;
  private end = 0;
  private asking = false;
  private failed = false;
  /** Counts what was forgotten as a whole: an answer to an earlier question is of no use then. */
  private life = 0;

  constructor(private readonly options: RowCacheOptions<Row>) {}

  at(place: number): Row | undefined {
    return this.rows.get(place);
  }

  /** Forgets all rows: others are at their places. */
  clear(): void {
    this.life += 1;
    this.rows.clear();
    this.asking = false;
    this.failed = false;
  }

  /** Takes rows that were read without a question of this. */
  put(start: number, rows: readonly Row[]): void {
    rows.forEach((row, index) => this.rows.set(start + index, row));
  }

  setEnd(end: number): void {
    this.end = end;
  }

  /** Asks again after a failure. */
  retry(): void {
    this.failed = false;
    void this.ask();
  }

  /** Says which rows are drawn now. */
  want(start: number, end: number): void {
    this.heading = Math.sign(start - this.wanted.start) || this.heading;
    this.wanted = { start, end };
    const kept = this.rowsOf(KEPT_CELLS, KEPT_ROWS);
    for (const place of this.rows.keys()) {
      if (place < start - kept || place >= end + kept) this.rows.delete(place);
    }
    void this.ask();
  }

  private async ask(): Promise<void> {
    const missing = this.asking || this.failed ? undefined : this.missing();
    if (!missing) return;
    const { life, wanted, options } = this;
    this.asking = true;
    try {
      const rows = await options.fetchRows(missing.start, missing.end);
      if (life !== this.life) return;
      this.asking = false;
      this.put(missing.start, rows);
      // Without an answer to the same question, asking again would only go in a circle.
      if (rows.length > 0 || this.wanted !== wanted) options.onRows();
    } catch (error) {
      if (life !== this.life) return;
      this.asking = false;
      this.failed = true;
      options.onFailure(error);
    }
  }

  private missing(): Span | undefined {
    const { wanted, end, heading } = this;
    const drawn = this.gap(wanted.start, Math.min(wanted.end, end));
    const ahead = this.rowsOf(AHEAD_CELLS, AHEAD_ROWS);
    if (drawn) {
      const most = this.rowsOf(CELLS_AT_ONCE, Infinity);
      if (drawn.end - drawn.start >= most) return { start: drawn.start, end: drawn.start + most };
      const [before, after] = [heading > 0 ? 0 : ahead, heading < 0 ? 0 : ahead];
      return { start: Math.max(drawn.start - before, 0), end: Math.min(drawn.end + after, end) };
    }
    // What is scrolled to is mostly there before it is drawn.
    const next =
      heading < 0
        ? this.gap(Math.max(wanted.start - ahead, 0), wanted.start)
        : this.gap(Math.min(wanted.end, end), Math.min(wanted.end + ahead, end));
    return next && heading !== 0 && next.end - next.start > ahead / 2 ? next : undefined;
  }

  /** What is not there between two places, the end excluded. */
  private gap(start: number, end: number): Span | undefined {
    let [from, to] = [start, end];
    while (from < to && this.rows.has(from)) from += 1;
    while (to > from && this.rows.has(to - 1)) to -= 1;
    return from < to ? { start: from, end: to } : undefined;
  }

  private rowsOf(cells: number, most: number): number {
    return Math.min(most, Math.ceil(cells / (this.options.cellsPerRow() || UNKNOWN_CELLS)));
  }
}
