import type { LogRow, LogRows } from '../../src/shared/logs';
import { type RowMove, toMovedIndex } from '../ui/rowGeometry';

/** Number of rows to fetch before and after the drawn rows. */
const MARGIN = 100;

/**
 * Minimum size of a move that can be inexact. A host can merge many small moves into one large
 * move, which is exact only outside its range.
 */
const EXACT_MOVE = 64;

/** Fetches a range of rows from the host. */
export type FetchRows = (start: number, end: number) => Promise<LogRows>;

/**
 * Cache of the rows near the viewport, by index. Requests missing rows, one request at a time, and
 * evicts rows that are far away.
 */
export class RowWindow {
  private rows = new Map<number, LogRow>();
  /**
   * Keys of rows that are being refreshed; these rows keep their old content until new content
   * arrives.
   */
  private readonly stale = new Set<number>();
  private first = 0;
  private end = 0;
  private isRequesting = false;
  private requested = { start: 0, end: 0 };

  constructor(
    private readonly fetchRows: FetchRows,
    private readonly onRows: () => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  at(index: number): LogRow | undefined {
    return this.rows.get(index);
  }

  /** Returns the current index of a cached row by its key. */
  findIndex(key: number): number | undefined {
    for (const [place, row] of this.rows) if (row.key === key) return place;
    return undefined;
  }

  /** Applies inserted, removed, and moved rows. */
  change(first: number, end: number, moves: readonly RowMove[], reset: boolean): void {
    [this.first, this.end] = [first, end];
    if (reset) this.deleteRows(() => true);
    else for (const one of moves) this.move(one);
    this.deleteRows((index) => index < first || index >= end);
  }

  add({ start, rows }: LogRows): void {
    rows.forEach((row, index) => {
      this.rows.set(start + index, row);
      this.stale.delete(row.key);
    });
  }

  /** Sets the range of drawn rows. */
  request(start: number, end: number): void {
    this.requested = { start, end };
    this.deleteRows((index) => index < start - 2 * MARGIN || index >= end + 2 * MARGIN);
    void this.requestMissing();
  }

  private deleteRows(shouldDelete: (index: number) => boolean): void {
    for (const [place, { key }] of this.rows) {
      if (!shouldDelete(place)) continue;
      this.rows.delete(place);
      this.stale.delete(key);
    }
  }

  private move(move: RowMove): void {
    const isExact = Math.abs(move.by) <= EXACT_MOVE;
    const before = [...this.rows];
    this.rows = new Map();
    for (const [place, row] of before) {
      const now = toMovedIndex(place, [move]);
      if (now === undefined) this.stale.delete(row.key);
      else this.rows.set(now, row);
      const isAffected = move.by === 0 ? place === move.at : place >= move.at && !isExact;
      if (now !== undefined && isAffected) this.stale.add(row.key);
    }
  }

  private async requestMissing(): Promise<void> {
    const missing = this.isRequesting ? undefined : this.missing();
    if (!missing) return;
    const { requested } = this;
    this.isRequesting = true;
    try {
      const answer = await this.fetchRows(missing.start, missing.end);
      this.isRequesting = false;
      this.add(answer);
      // If the response was empty, notifying the owner would request the same range again in an
      // endless loop.
      if (answer.rows.length > 0 || this.requested !== requested) this.onRows();
    } catch (error) {
      this.isRequesting = false;
      this.onFailure(error);
    }
  }

  /** Returns the next range to request; undefined if all drawn rows are loaded. */
  private missing(): { readonly start: number; readonly end: number } | undefined {
    const { first, end, requested } = this;
    let from = Math.max(requested.start, first);
    let to = Math.min(requested.end, end);
    while (from < to && !this.isMissing(from)) from += 1;
    while (to > from && !this.isMissing(to - 1)) to -= 1;
    if (from === to) return undefined;
    return { start: Math.max(from - MARGIN, first), end: Math.min(to + MARGIN, end) };
  }

  private isMissing(index: number): boolean {
    const row = this.rows.get(index);
    return !row || this.stale.has(row.key);
  }
}
