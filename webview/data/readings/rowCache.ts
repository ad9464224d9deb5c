import type { ReadingRow } from '../../../src/shared/data/readings';

/** Rows that are kept before and after those that are drawn. */
const KEPT = 1_000;

export type FetchRows = (start: number, end: number) => Promise<readonly ReadingRow[]>;

/** The rows near what is seen, by their places. Asks for those that are missing, one question at a time. */
export class RowCache {
  private readonly rows = new Map<number, ReadingRow>();
  private wanted = { start: 0, end: 0 };
  private end = 0;
  private asking = false;
  private failed = false;
  /** Counts what was forgotten as a whole: an answer to an earlier question is of no use then. */
  private life = 0;

  constructor(
    private readonly fetchRows: FetchRows,
    private readonly onRows: () => void,
    private readonly onFailure: (error: unknown) => void,
    /** How many rows are asked for before and after those that are drawn. */
    private readonly margin: () => number,
  ) {}

  at(place: number): ReadingRow | undefined {
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
  put(start: number, rows: readonly ReadingRow[]): void {
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
    this.wanted = { start, end };
    for (const place of this.rows.keys()) {
      if (place < start - KEPT || place >= end + KEPT) this.rows.delete(place);
    }
    void this.ask();
  }

  private async ask(): Promise<void> {
    const missing = this.asking || this.failed ? undefined : this.missing();
    if (!missing) return;
    const { life, wanted } = this;
    this.asking = true;
    try {
      const rows = await this.fetchRows(missing.start, missing.end);
      if (life !== this.life) return;
      this.asking = false;
      this.put(missing.start, rows);
      // Without an answer to the same question, asking again would only go in a circle.
      if (rows.length > 0 || this.wanted !== wanted) this.onRows();
    } catch (error) {
      if (life !== this.life) return;
      this.asking = false;
      this.failed = true;
      this.onFailure(error);
    }
  }

  private missing(): { readonly start: number; readonly end: number } | undefined {
    const { rows, wanted } = this;
    let from = wanted.start;
    let to = Math.min(wanted.end, this.end);
    while (from < to && rows.has(from)) from += 1;
    while (to > from && rows.has(to - 1)) to -= 1;
    if (from >= to) return undefined;
    const margin = this.margin();
    return { start: Math.max(from - margin, 0), end: Math.min(to + margin, this.end) };
  }
}
