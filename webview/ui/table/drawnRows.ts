import { GridRow } from './gridRow';

/**
 * The rows of a table that are in the document, by index. Elements of rows that scroll out of view
 * are reused.
 */
export class DrawnRows {
  private readonly rows = new Map<number, GridRow>();
  private readonly spare: GridRow[] = [];

  /** Returns the row at an index if it is drawn. */
  at(index: number): GridRow | undefined {
    return this.rows.get(index);
  }

  /** Returns a row element for an index, usually one that was previously drawn for another row. */
  take(index: number): GridRow {
    const row = this.rows.get(index) ?? this.spare.shift() ?? new GridRow();
    this.rows.set(index, row);
    return row;
  }

  /** Releases the rows outside a range (end exclusive). */
  retainRange(start: number, end: number): void {
    for (const [place, row] of this.rows) {
      if (place >= start && place < end) continue;
      this.rows.delete(place);
      this.spare.push(row);
    }
  }

  entries(): Iterable<readonly [place: number, row: GridRow]> {
    return this.rows;
  }
}
