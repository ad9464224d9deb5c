import { GridRow } from './gridRow';

/** The rows of a table that are in the document, by their places. Those that are not seen any more become others. */
export class DrawnRows {
  private readonly rows = new Map<number, GridRow>();
  private readonly spare: GridRow[] = [];

  /** The row at a place, as long as it is drawn. */
  at(place: number): GridRow | undefined {
    return this.rows.get(place);
  }

  /** The row that is drawn at a place: mostly one that was drawn elsewhere. */
  take(place: number): GridRow {
    const row = this.rows.get(place) ?? this.spare.shift() ?? new GridRow();
    this.rows.set(place, row);
    return row;
  }

  /** Gives up the rows that are not between two places, the end excluded. */
  keep(start: number, end: number): void {
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
