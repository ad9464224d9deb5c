/** Table actions that keys trigger. */
export interface GridByKeys {
  readonly rowsPerPage: number;
  /** True if the cursor is on a header. */
  readonly isAtHeader: boolean;
  step(rows: number, columns: number, extend: boolean): void;
  selectAll(): void;
  toggleRow(): void;
  /** @returns false if Escape has no effect here. */
  escape(): boolean;
  open(): void;
  /** @returns false if the cell can't be expanded. */
  unfold(): boolean;
  /** @returns false if rows can't be filtered. */
  filter(): boolean;
  resize(by: number): void;
  /**
   * Moves the column at the cursor.
   * @returns false if columns can't be moved.
   */
  moveColumn(by: -1 | 1): boolean;
  copy(): void;
}

const FAR = Number.MAX_SAFE_INTEGER;
const RESIZE_STEP = 20;

type Act = () => unknown;

/** Implements the keyboard interaction of the ARIA grid pattern. Handled keys don't propagate. */
export function listenToGridKeys(target: HTMLElement, grid: GridByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target) return;
    const act = findKeyAction(event, grid);
    if (!act || act() === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function findKeyAction(event: KeyboardEvent, grid: GridByKeys): Act | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey) return withAlt(key, grid);
  return ctrlKey || metaKey ? withControl(event, grid) : plain(event, grid, shiftKey);
}

function withAlt(key: string, grid: GridByKeys): Act | undefined {
  switch (key) {
    case 'ArrowDown':
      return () => grid.filter();
    case 'ArrowLeft':
      return () => grid.isAtHeader && grid.moveColumn(-1);
    case 'ArrowRight':
      return () => grid.isAtHeader && grid.moveColumn(1);
    default:
      return undefined;
  }
}

function plain({ key }: KeyboardEvent, grid: GridByKeys, shift: boolean): Act | undefined {
  switch (key) {
    case 'ArrowUp':
      return () => grid.step(-1, 0, shift);
    case 'ArrowDown':
      return () => grid.step(1, 0, shift);
    case 'ArrowLeft':
      return () => (shift && grid.isAtHeader ? grid.resize(-RESIZE_STEP) : grid.step(0, -1, shift));
    case 'ArrowRight':
      return () => (shift && grid.isAtHeader ? grid.resize(RESIZE_STEP) : grid.step(0, 1, shift));
    case 'PageUp':
      return () => grid.step(-grid.rowsPerPage, 0, shift);
    case 'PageDown':
      return () => grid.step(grid.rowsPerPage, 0, shift);
    case 'Home':
      return () => grid.step(0, -FAR, shift);
    case 'End':
      return () => grid.step(0, FAR, shift);
    case 'Enter':
      return () => (shift && !grid.isAtHeader ? grid.unfold() : grid.open());
    case ' ':
      return () => grid.toggleRow();
    case 'Escape':
      return () => grid.escape();
    default:
      return undefined;
  }
}

function withControl({ key, shiftKey }: KeyboardEvent, grid: GridByKeys): Act | undefined {
  switch (key.toLowerCase()) {
    case 'a':
      return () => grid.selectAll();
    case 'c':
      return window.getSelection()?.isCollapsed === false ? undefined : () => grid.copy();
    case 'home':
      return () => grid.step(-FAR, -FAR, shiftKey);
    case 'end':
      return () => grid.step(FAR, FAR, shiftKey);
    default:
      return undefined;
  }
}

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
   * Returns the range of selected rows (end exclusive). The cursor's row alone doesn't count as
   * selected.
   */
  selection(count: number): { readonly start: number; readonly end: number } | undefined {
    if (this.isAll) return { start: 0, end: count };
    const { anchor, rowIndex } = this;
    if (anchor === undefined) return undefined;
    return { start: Math.min(anchor, rowIndex), end: Math.max(anchor, rowIndex) + 1 };
  }

  has(rowIndex: number): boolean {
    if (this.isAll) return true;
    const selected = this.selection(0);
    return selected !== undefined && rowIndex >= selected.start && rowIndex < selected.end;
  }

  /**
   * Moves the cursor to a cell.
   * @param extend true to extend the selection to the cell's row.
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
