import * as l10n from '@vscode/l10n';
import { element } from '../elements';
import { GridBody } from './gridBody';
import { type CellStyle, GridCell } from './gridCell';
import type { GridColumns, PositionedColumn } from './gridColumns';
import { type GridByKeys, GridCursor, HEADER, listenToGridKeys } from './gridInput';
import { cellId, GridHeader } from './gridHeader';
import type { FetchRows } from './rowCache';
import type { SortDirection, TableCell, TableRow } from './tableRow';

export interface GridActions {
  readonly fetchRows: FetchRows<TableRow>;
  readonly failed: (error: unknown) => void;
  /** Sorts by the column whose header was clicked. */
  readonly sortBy: (column: PositionedColumn) => void;
  readonly openCell: (rowIndex: number, column: PositionedColumn) => void;
  /** Expands or collapses the contents of a cell; absent if no cells are expandable. */
  readonly unfold?: (rowIndex: number, column: PositionedColumn) => void;
  /** Prompts the user to filter rows by a column; absent if the table doesn't support filters. */
  readonly filterBy?: (column: PositionedColumn) => void;
  /** Called with the names of the columns in their new order; absent if columns can't be moved. */
  readonly columnsMoved?: (names: readonly string[]) => void;
  readonly copy: () => void;
  readonly selectionChanged: () => void;
  /** Called when the user presses Escape and there is no selection to clear. */
  readonly leave: () => boolean;
}

export interface GridOptions extends Omit<CellStyle, 'loading'> {
  /** Prefix for the IDs of the table's elements; unique on the page. */
  readonly id: string;
  readonly label: string;
  /** Description of the keys for screen readers. */
  readonly keys: string;
  readonly columns: GridColumns;
  /** Returns a column's sort direction by its ID. */
  readonly getDirection: (column: string) => SortDirection | undefined;
  /** Returns true if rows are filtered by the column with this ID. */
  readonly isFiltered?: (column: string) => boolean;
  readonly actions: GridActions;
}

/** Width, in pixels, of the area at the start of a cell that expands the cell when clicked. */
const TWISTY_WIDTH = 20;

/** A table of rows and columns. Only the cells near the viewport are in the document. */
export class DataGrid implements GridByKeys {
  readonly element: HTMLElement;
  readonly cursor = new GridCursor();
  private readonly body: GridBody;
  private readonly header: GridHeader;
  private readonly probe = new GridCell();
  private active: HTMLElement | undefined;
  private count = 0;

  constructor(private readonly options: GridOptions) {
    const { id, label, keys, actions, columns, getDirection, isFiltered } = options;
    const filterBy = actions.filterBy && ((column: number) => this.filterBy(column));
    this.header = new GridHeader({
      id,
      getDirection,
      isFiltered,
      filterBy,
      pressed: (column) => this.headerPressed(column),
      resized: (column, width) => this.setWidth(column, width),
      moved: actions.columnsMoved && ((column, target) => this.moveTo(column, target)),
    });
    this.body = new GridBody({
      attributes: gridAttributes(id, label),
      columns,
      cellStyle: this.cellStyle,
      fetchRows: actions.fetchRows,
      failed: actions.failed,
      onDrawn: () => this.markActive(),
      onSideways: () => this.drawHeader(),
    });
    const { element: scroller } = this.body;
    const help = element('div', { class: 'visually-hidden', id: keysId(id) }, keys);
    this.element = element('div', { class: 'data-grid' }, this.header.element, scroller, help);
    scroller.addEventListener('click', (event) => this.clicked(event));
    scroller.addEventListener('dblclick', ({ target }) => findCell(target) && this.open());
    new ResizeObserver(() => this.columnsChanged()).observe(scroller);
    listenToGridKeys(scroller, this);
  }

  private get cellStyle(): CellStyle {
    const { timeText, kindName, canUnfold } = this.options;
    return { loading: l10n.t('Loading…'), timeText, kindName, canUnfold };
  }

  get rowsPerPage(): number {
    return Math.max(1, this.body.rows.rowsPerPage - 1);
  }

  get isAtHeader(): boolean {
    return this.cursor.rowIndex === HEADER;
  }

  get selected(): { readonly start: number; readonly end: number } | undefined {
    return this.cursor.selection(this.count);
  }

  get cursorColumn(): PositionedColumn | undefined {
    return this.options.columns.shown[this.cursor.column];
  }

  /** The drawn rows and the details below them. */
  get details(): Pick<GridBody, 'rowAt' | 'detailAt' | 'setDetail'> {
    return this.body;
  }

  /** Resets the grid because all rows changed. */
  reset(): void {
    this.cursor.reset();
    this.body.reset();
    this.setCount(0, 0);
  }

  /**
   * @param count number of rows that the user can scroll to
   * @param total number of rows
   */
  setCount(count: number, total: number): void {
    this.body.element.setAttribute('aria-rowcount', String(total + 1));
    this.count = count;
    this.body.setCount(count);
  }

  /**
   * Returns the width, in pixels, that a cell needs to show its full text; 0 while the table is
   * hidden.
   */
  measure(cell: TableCell): number {
    const { element: probe } = this.probe;
    this.probe.show(cell, this.cellStyle, false);
    probe.classList.add('cell-probe');
    this.element.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  }

  /** Adds the first rows, which were loaded before the table was drawn. */
  begin(rows: readonly TableRow[]): void {
    this.body.begin(rows);
    this.columnsChanged();
  }

  retry(): void {
    this.body.retry();
  }

  /** Redraws after columns were added, removed, or resized, or the cell format changed. */
  columnsChanged(): void {
    const last = Math.max(0, this.options.columns.shown.length - 1);
    this.cursor.column = Math.min(this.cursor.column, last);
    this.body.columnsChanged();
  }

  focus(): void {
    this.body.element.focus();
  }

  step(rows: number, columns: number, extend: boolean): void {
    const { cursor, count } = this;
    const last = this.options.columns.shown.length - 1;
    if (last < 0) return;
    // Only a single step up moves from the rows to the headers.
    const least = !extend && (rows === -1 || this.isAtHeader) ? HEADER : 0;
    const rowIndex = Math.min(Math.max(cursor.rowIndex + rows, least), count - 1);
    const column = Math.min(Math.max(cursor.column + columns, 0), last);
    cursor.go(rowIndex, column, extend);
    this.showCursor();
  }

  selectAll(): void {
    this.cursor.selectAll();
    this.selectionChanged();
  }

  toggleRow(): void {
    this.cursor.toggle();
    this.selectionChanged();
  }

  escape(): boolean {
    if (!this.cursor.clearSelection()) return this.options.actions.leave();
    this.selectionChanged();
    return true;
  }

  open(): void {
    const column = this.cursorColumn;
    if (!column) return;
    if (this.isAtHeader) this.options.actions.sortBy(column);
    else if (this.count > 0) this.options.actions.openCell(this.cursor.rowIndex, column);
  }

  unfold(): boolean {
    const { unfold } = this.options.actions;
    const column = this.cursorColumn;
    if (!unfold || !column || this.isAtHeader || this.count === 0) return false;
    unfold(this.cursor.rowIndex, column);
    return true;
  }

  filter(): boolean {
    const { filterBy } = this.options.actions;
    const column = this.cursorColumn;
    if (!filterBy || !column) return false;
    filterBy(column);
    return true;
  }

  resize(by: number): void {
    const column = this.cursorColumn;
    if (column) this.setWidth(column.id, column.width + by);
  }

  moveColumn(by: -1 | 1): boolean {
    const { columns, actions } = this.options;
    const column = this.cursorColumn;
    const target = columns.shown[this.cursor.column + by];
    if (!actions.columnsMoved || !column || !target) return false;
    this.moveTo(column.id, target.id);
    return true;
  }

  copy(): void {
    this.options.actions.copy();
  }

  private moveTo(id: string, target: string): void {
    const { columns, actions } = this.options;
    const names = columns.move(id, target);
    if (!names) return;
    actions.columnsMoved?.(names);
    const column = columns.shown.findIndex((one) => one.id === id);
    this.columnsChanged();
    this.cursor.go(HEADER, Math.max(0, column), false);
    this.showCursor();
  }

  private setWidth(id: string, width: number): void {
    this.options.columns.resize(id, width);
    this.columnsChanged();
  }

  private headerPressed(column: number): void {
    this.cursor.go(HEADER, column, false);
    this.focus();
    this.showCursor();
    this.open();
  }

  private filterBy(column: number): void {
    this.cursor.go(HEADER, column, false);
    this.showCursor();
    this.filter();
  }

  private clicked({ target, shiftKey, offsetX }: MouseEvent): void {
    const at = findCell(target);
    if (!at) return;
    this.cursor.go(at.place, at.column, shiftKey);
    this.showCursor();
    if (at.cell.hasAttribute('aria-expanded') && offsetX < TWISTY_WIDTH) this.unfold();
  }

  private showCursor(): void {
    const column = this.cursorColumn;
    if (column) this.body.reveal(this.cursor.rowIndex, column);
    this.selectionChanged();
  }

  private selectionChanged(): void {
    this.markActive();
    this.options.actions.selectionChanged();
  }

  private drawHeader(): void {
    const { start, end, scrolled, version } = this.body.sideways;
    const columns = this.options.columns.shown.slice(start, end);
    this.header.draw({ columns, firstColumn: start, scrolled, version });
    this.markActive();
  }

  /** Marks the active cell and the selected rows among the drawn rows. */
  private markActive(): void {
    const { cursor, body, active: before } = this;
    const { rowIndex, column } = cursor;
    const active = this.isAtHeader ? this.header.cellAt(column) : body.cellAt(rowIndex, column);
    if (before && before !== active) {
      before.classList.remove('active-cell');
      before.removeAttribute('id');
    }
    this.active = active;
    for (const [at, row] of body.drawnRows) row.setSelected(cursor.has(at));
    if (!active) {
      body.element.removeAttribute('aria-activedescendant');
      return;
    }
    active.classList.add('active-cell');
    const id = cellId(this.options.id, rowIndex, column);
    if (active.id === id) return;
    active.id = id;
    body.element.setAttribute('aria-activedescendant', id);
  }
}

function findCell(target: EventTarget | null) {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.data-cell') : null;
  const rowIndex = cell?.parentElement?.dataset.place;
  if (!cell || rowIndex === undefined) return undefined;
  return { cell, place: Number(rowIndex), column: Number(cell.dataset.column) };
}

function keysId(table: string): string {
  return `${table}-keys`;
}

function gridAttributes(id: string, label: string): Readonly<Record<string, string>> {
  return {
    role: 'grid',
    'aria-label': label,
    'aria-owns': `${id}-headers`,
    'aria-multiselectable': 'true',
    'aria-describedby': keysId(id),
  };
}
