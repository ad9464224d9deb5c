import { element } from '../elements';
import { type CellLook, GridCell } from './gridCell';
import type { PlacedColumn } from './gridColumns';
import type { TableRow } from './tableRow';

/** What of a cell is unfolded below its row. */
export interface RowDetail {
  /** The cell's column, by its id. */
  readonly column: string;
  readonly element: HTMLElement;
  readonly pixels: number;
}

export interface RowLook extends CellLook {
  readonly place: number;
  readonly row: TableRow | undefined;
  readonly detail: RowDetail | undefined;
  /** Those that are drawn, and the place of the first of them. */
  readonly columns: readonly PlacedColumn[];
  readonly firstColumn: number;
  /** Another number whenever cells look different for another reason than their row or which are drawn. */
  readonly version: number;
}

/** Columns by their numbers, the end excluded. */
interface ColumnWindow {
  readonly start: number;
  readonly end: number;
}

const NOWHERE: ColumnWindow = { start: 0, end: 0 };

/** A drawn row of the table, whose elements are used again for others; one that is not read yet says so. */
export class GridRow {
  readonly element = element('div', { role: 'row', class: 'data-row' });
  private readonly cells: GridCell[] = [];
  private below: HTMLElement | undefined;
  private isSelected: boolean | undefined;
  private shown: RowLook | undefined;

  /** Shows a row, and writes no more to the document than what differs from the one before. */
  show(look: RowLook): void {
    const { shown } = this;
    const { place, row, columns, firstColumn, version, detail } = look;
    const placed = shown?.version === version ? windowOf(shown) : NOWHERE;
    const isPlaced = placed.start === firstColumn && placed.end === firstColumn + columns.length;
    const hasSameDetail = shown?.detail === detail && this.holds(detail);
    const hasSameRow = shown?.place === place && shown.row === row && hasSameDetail;
    if (isPlaced && hasSameRow) return;
    this.shown = look;
    if (shown?.place !== place) this.setPlace(place);
    if (!isPlaced) this.placeCells(look, placed);
    if (!hasSameDetail) this.setDetail(detail);
    if (!shown || !shown.row !== !row) this.element.classList.toggle('unread', !row);
    columns.forEach(({ id }, index) => {
      if (hasSameRow && row && isWithin(placed, firstColumn + index)) return;
      if (row) this.cells[index]?.show(row.get(id), look, detail?.column === id);
      else this.cells[index]?.showUnread(index === 0 ? look.loading : '');
    });
  }

  /** The cell of a column, by its number among those that are shown. */
  cell(column: number): HTMLElement | undefined {
    return this.cells[column - (this.shown?.firstColumn ?? 0)]?.element;
  }

  setSelected(selected: boolean): void {
    if (selected === this.isSelected) return;
    this.isSelected = selected;
    this.element.setAttribute('aria-selected', String(selected));
  }

  private setPlace(place: number): void {
    this.element.dataset.place = String(place);
    this.element.setAttribute('aria-rowindex', String(place + 2));
  }

  /** Cells of columns that are drawn already stay as they are. @param placed which these are */
  private placeCells(look: RowLook, placed: ColumnWindow): void {
    const { columns, firstColumn } = look;
    const { start, end } = windowOf(look);
    if (start < placed.end && end > placed.start) {
      if (start > placed.start) this.turnToEnd(start - placed.start);
      else this.turnToStart(placed.start - start, Math.max(0, placed.end - end));
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
      if (!isWithin(placed, number)) this.cells[index]?.place(column, number);
    });
  }

  /** So many cells at the start, whose columns are not seen any more, become those at the end. */
  private turnToEnd(count: number): void {
    const { cells } = this;
    for (const cell of cells.splice(0, count)) {
      cells.at(-1)?.element.after(cell.element);
      cells.push(cell);
    }
  }

  /** So many cells come to the start: those at the end that are too many, and further ones. */
  private turnToStart(count: number, surplus: number): void {
    const { cells } = this;
    const turned = cells.splice(cells.length - Math.min(count, surplus));
    while (turned.length < count) turned.push(new GridCell());
    for (const cell of turned) cells[0]?.element.before(cell.element);
    cells.unshift(...turned);
  }

  /** Another drawn row may have taken over what was below this one, while this was not seen. */
  private holds(detail: RowDetail | undefined): boolean {
    return !detail || detail.element.parentElement === this.below;
  }

  private setDetail(detail: RowDetail | undefined): void {
    this.element.style.blockSize = detail ? `calc(var(--row-height) + ${detail.pixels}px)` : '';
    // What is put elsewhere in the document loses the keyboard.
    if (detail && this.holds(detail)) return;
    this.below?.remove();
    this.below = undefined;
    if (!detail) return;
    // A row has cells alone.
    this.below = element('div', { role: 'gridcell', class: 'row-detail' }, detail.element);
    this.element.append(this.below);
  }
}

function windowOf({ columns, firstColumn }: RowLook): ColumnWindow {
  return { start: firstColumn, end: firstColumn + columns.length };
}

function isWithin({ start, end }: ColumnWindow, column: number): boolean {
  return column >= start && column < end;
}
