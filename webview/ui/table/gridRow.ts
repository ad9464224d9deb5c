import { element } from '../elements';
import { type CellStyle, GridCell } from './gridCell';
import type { PositionedColumn } from './gridColumns';
import type { TableRow } from './tableRow';

/** A cell's expanded content, shown below its row. */
export interface RowDetail {
  /** ID of the cell's column. */
  readonly column: string;
  readonly element: HTMLElement;
  readonly pixels: number;
}

export interface RowState extends CellStyle {
  readonly rowIndex: number;
  readonly row: TableRow | undefined;
  readonly detail: RowDetail | undefined;
  /** The drawn columns; `firstColumn` is the index of the first drawn column. */
  readonly columns: readonly PositionedColumn[];
  readonly firstColumn: number;
  /**
   * Changes whenever the cells must be redrawn although neither their row nor the drawn columns
   * changed.
   */
  readonly version: number;
}

/** Range of column indexes, end exclusive. */
interface ColumnWindow {
  readonly start: number;
  readonly end: number;
}

const NOWHERE: ColumnWindow = { start: 0, end: 0 };

/**
 * A drawn row in the table. Its elements are reused for other rows; until the row's data is loaded,
 * it shows a placeholder.
 */
export class GridRow {
  readonly element = element('div', { role: 'row', class: 'data-row' });
  private readonly cells: GridCell[] = [];
  private below: HTMLElement | undefined;
  private isSelected: boolean | undefined;
  private shown: RowState | undefined;

  /** Shows a row. Updates only the parts of the document that differ from the previous row. */
  show(state: RowState): void {
    const { shown } = this;
    const { rowIndex, row, columns, firstColumn, version, detail } = state;
    const drawnColumns = shown?.version === version ? getColumnWindow(shown) : NOWHERE;
    const isPlaced =
      drawnColumns.start === firstColumn && drawnColumns.end === firstColumn + columns.length;
    const hasSameDetail = shown?.detail === detail && this.containsDetail(detail);
    const hasSameRow = shown?.rowIndex === rowIndex && shown.row === row && hasSameDetail;
    if (isPlaced && hasSameRow) return;
    this.shown = state;
    if (shown?.rowIndex !== rowIndex) this.setRowIndex(rowIndex);
    if (!isPlaced) this.positionCells(state, drawnColumns);
    if (!hasSameDetail) this.setDetail(detail);
    if (!shown || !shown.row !== !row) this.element.classList.toggle('unread', !row);
    columns.forEach(({ id }, index) => {
      if (hasSameRow && row && isWithin(drawnColumns, firstColumn + index)) return;
      if (row) this.cells[index]?.show(row.get(id), state, detail?.column === id);
      else this.cells[index]?.showUnread(index === 0 ? state.loading : '');
    });
  }

  /** Returns the cell in a column by the column's index among the visible columns. */
  cell(column: number): HTMLElement | undefined {
    return this.cells[column - (this.shown?.firstColumn ?? 0)]?.element;
  }

  setSelected(selected: boolean): void {
    if (selected === this.isSelected) return;
    this.isSelected = selected;
    this.element.setAttribute('aria-selected', String(selected));
  }

  private setRowIndex(rowIndex: number): void {
    this.element.dataset.place = String(rowIndex);
    this.element.setAttribute('aria-rowindex', String(rowIndex + 2));
  }

  /**
   * Positions the cells. Cells in columns that are already drawn stay unchanged.
   * @param drawnColumns range of the columns that are already drawn
   */
  private positionCells(state: RowState, drawnColumns: ColumnWindow): void {
    const { columns, firstColumn } = state;
    const { start, end } = getColumnWindow(state);
    if (start < drawnColumns.end && end > drawnColumns.start) {
      if (start > drawnColumns.start) this.rotateToEnd(start - drawnColumns.start);
      else this.rotateToStart(drawnColumns.start - start, Math.max(0, drawnColumns.end - end));
    }
    for (const { element: surplus } of this.cells.splice(columns.length)) surplus.remove();
    while (this.cells.length < columns.length) {
      const cell = new GridCell();
      const last = this.cells.at(-1)?.element;
      this.cells.push(cell);
      if (last) last.after(cell.element);
      else this.element.prepend(cell.element);
    }
    columns.forEach((column, index) => {
      const number = firstColumn + index;
      if (!isWithin(drawnColumns, number)) this.cells[index]?.setPosition(column, number);
    });
  }

  /**
   * Moves the first `count` cells, whose columns are no longer visible, to the end so that they can
   * be reused.
   */
  private rotateToEnd(count: number): void {
    const { cells } = this;
    for (const cell of cells.splice(0, count)) {
      cells.at(-1)?.element.after(cell.element);
      cells.push(cell);
    }
  }

  /**
   * Adds `count` cells at the start: first reuses surplus cells from the end, then creates new
   * cells.
   */
  private rotateToStart(count: number, surplus: number): void {
    const { cells } = this;
    const turned = cells.splice(cells.length - Math.min(count, surplus));
    while (turned.length < count) turned.push(new GridCell());
    for (const cell of turned) cells[0]?.element.before(cell.element);
    cells.unshift(...turned);
  }

  /**
   * Returns true if this row's element contains the details. While the row was hidden, another
   * drawn row might have taken over the details.
   */
  private containsDetail(detail: RowDetail | undefined): boolean {
    return !detail || detail.element.parentElement === this.below;
  }

  private setDetail(detail: RowDetail | undefined): void {
    this.element.style.blockSize = detail ? `calc(var(--row-height) + ${detail.pixels}px)` : '';
    // Moving an element within the document would take the keyboard focus away from it.
    if (detail && this.containsDetail(detail)) return;
    this.below?.remove();
    this.below = undefined;
    if (!detail) return;
    // A row can have only cells as children.
    this.below = element('div', { role: 'gridcell', class: 'row-detail' }, detail.element);
    this.element.append(this.below);
  }
}

function getColumnWindow({ columns, firstColumn }: RowState): ColumnWindow {
  return { start: firstColumn, end: firstColumn + columns.length };
}

function isWithin({ start, end }: ColumnWindow, column: number): boolean {
  return column >= start && column < end;
}
