import type { LogRow, LogRows } from '../../src/shared/logs';
import { movedPlace, type RowMove } from '../ui/rowGeometry';

/** Rows fetched before and after those that are drawn. */
const MARGIN = 100;

/** A host may tell many small moves as one, which is exact only outside them; such a one is larger than this. */
const EXACT_MOVE = 64;

/** Asks the host for rows by their places. */
export type FetchRows = (start: number, end: number) => Promise<LogRows>;

/**
 * The rows near what is seen, by their places. Asks for those that are missing, one question at a time, and
 * forgets those that are far away.
 */
export class RowWindow {
  private rows = new Map<number, LogRow>();
  /** Keys of rows that are asked for again, and shown as they were until then. */
  private readonly stale = new Set<number>();
  private first = 0;
  private end = 0;
  private asking = false;
  private wanted = { start: 0, end: 0 };

  constructor(
    private readonly fetchRows: FetchRows,
    private readonly onRows: () => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  at(place: number): LogRow | undefined {
    return this.rows.get(place);
  }

  /** The place of a row that is near what is seen. */
  placeOf(key: number): number | undefined {
    for (const [place, row] of this.rows) if (row.key === key) return place;
    return undefined;
  }

  /** Takes over that rows have come, gone or moved. */
  change(first: number, end: number, moves: readonly RowMove[], reset: boolean): void {
    [this.first, this.end] = [first, end];
    if (reset) this.forget(() => true);
    else for (const one of moves) this.move(one);
    this.forget((place) => place < first || place >= end);
  }

  add({ start, rows }: LogRows): void {
    rows.forEach((row, index) => {
      this.rows.set(start + index, row);
      this.stale.delete(row.key);
    });
  }

  /** Says which rows are drawn now. */
  want(start: number, end: number): void {
    this.wanted = { start, end };
    this.forget((place) => place < start - 2 * MARGIN || place >= end + 2 * MARGIN);
    void this.ask();
  }

  private forget(isUnwanted: (place: number) => boolean): void {
    for (const [place, { key }] of this.rows) {
      if (!isUnwanted(place)) continue;
      this.rows.delete(place);
      this.stale.delete(key);
    }
  }

  private move(move: RowMove): void {
    const isExact = Math.abs(move.by) <= EXACT_MOVE;
    const before = [...this.rows];
    this.rows = new Map();
    for (const [place, row] of before) {
      const now = movedPlace(place, [move]);
      if (now === undefined) this.stale.delete(row.key);
      else this.rows.set(now, row);
      const looksDifferent = move.by === 0 ? place === move.at : place >= move.at && !isExact;
      if (now !== undefined && looksDifferent) this.stale.add(row.key);
    }
  }

  private async ask(): Promise<void> {
    const missing = this.asking ? undefined : this.missing();
    if (!missing) return;
    const { wanted } = this;
    this.asking = true;
    try {
      const answer = await this.fetchRows(missing.start, missing.end);
      this.asking = false;
      this.add(answer);
      // Without an answer to the same question, asking again would only go in a circle.
      if (answer.rows.length > 0 || this.wanted !== wanted) this.onRows();
    } catch (error) {
      this.asking = false;
      this.onFailure(error);
    }
  }

  /** What to ask for next: nothing while all that is drawn is there. */
  private missing(): { readonly start: number; readonly end: number } | undefined {
    const { first, end, wanted } = this;
    let from = Math.max(wanted.start, first);
    let to = Math.min(wanted.end, end);
    while (from < to && !this.lacks(from)) from += 1;
    while (to > from && !this.lacks(to - 1)) to -= 1;
    if (from === to) return undefined;
    return { start: Math.max(from - MARGIN, first), end: Math.min(to + MARGIN, end) };
  }

  private lacks(place: number): boolean {
    const row = this.rows.get(place);
    return !row || this.stale.has(row.key);
  }
}
