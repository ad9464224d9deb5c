/** The place of the headers, before the first row. */
export const HEADER = -1;

/** Which cell the keyboard is at, and which rows are selected. */
export class GridCursor {
  /** The row's place, or that of the headers. */
  place = 0;
  /** Among the columns that are shown. */
  column = 0;
  private anchor: number | undefined;
  private isAll = false;

  /** The selected places, the end excluded; the row of the cursor alone is not selected. */
  selection(count: number): { readonly start: number; readonly end: number } | undefined {
    if (this.isAll) return { start: 0, end: count };
    const { anchor, place } = this;
    if (anchor === undefined) return undefined;
    return { start: Math.min(anchor, place), end: Math.max(anchor, place) + 1 };
  }

  has(place: number): boolean {
    if (this.isAll) return true;
    const selected = this.selection(0);
    return selected !== undefined && place >= selected.start && place < selected.end;
  }

  /** Goes to a cell. @param extend selects the rows on the way. */
  go(place: number, column: number, extend: boolean): void {
    if (extend && place !== HEADER) this.anchor ??= Math.max(0, this.place);
    else this.anchor = undefined;
    this.isAll = false;
    this.place = place;
    this.column = column;
  }

  /** Selects the row of the cursor alone, or nothing when it was. */
  toggle(): void {
    if (this.place === HEADER) return;
    const wasSelected = this.has(this.place);
    this.isAll = false;
    this.anchor = wasSelected ? undefined : this.place;
  }

  selectAll(): void {
    this.isAll = true;
  }

  /** @returns whether anything was selected. */
  clearSelection(): boolean {
    const had = this.isAll || this.anchor !== undefined;
    this.isAll = false;
    this.anchor = undefined;
    return had;
  }

  /** Other rows are there. */
  reset(): void {
    this.clearSelection();
    this.place = 0;
  }
}
