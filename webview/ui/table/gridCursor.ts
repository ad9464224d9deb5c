/** Row index of the header row, which is before the first row. */
export const HEADER = -1;

/** The active cell and the selected rows. */
export class GridCursor {
  /** Index of the row, or `HEADER`. */
  rowIndex = 0;
  /** Index among the visible columns. */
  column = 0;
  private anchor: number | undefined;
  private isAll = false;

  /**
   * Returns the range of selected rows (end exclusive); the cursor's row alone doesn't count as
   * selected.
   */
  selection(count: number): { readonly start: number; readonly end: number } | undefined {
    if (this.isAll) return { start: 0, end: count };
    const { anchor, rowIndex: place } = this;
    if (anchor === undefined) return undefined;
    return { start: Math.min(anchor, place), end: Math.max(anchor, place) + 1 };
  }

  has(rowIndex: number): boolean {
    if (this.isAll) return true;
    const selected = this.selection(0);
    return selected !== undefined && rowIndex >= selected.start && rowIndex < selected.end;
  }

  /**
   * Moves the cursor to a cell.
   * @param extend true to extend the selection to the row of the cell.
   */
  go(rowIndex: number, column: number, extend: boolean): void {
    if (extend && rowIndex !== HEADER) this.anchor ??= Math.max(0, this.rowIndex);
    else this.anchor = undefined;
    this.isAll = false;
    this.rowIndex = rowIndex;
    this.column = column;
  }

  /** Selects only the cursor's row, or clears the selection if the row was selected. */
  toggle(): void {
    if (this.rowIndex === HEADER) return;
    const wasSelected = this.has(this.rowIndex);
    this.isAll = false;
    this.anchor = wasSelected ? undefined : this.rowIndex;
  }

  selectAll(): void {
    this.isAll = true;
  }

  /** @returns true if there was a selection. */
  clearSelection(): boolean {
    const had = this.isAll || this.anchor !== undefined;
    this.isAll = false;
    this.anchor = undefined;
    return had;
  }

  /** Resets the cursor because the rows changed. */
  reset(): void {
    this.clearSelection();
    this.rowIndex = 0;
  }
}
