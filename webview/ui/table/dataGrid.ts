import type { GridStrings } from '../../../src/shared/tableStrings';
import { element } from '../elements';
import { VirtualRows } from '../virtualRows';
import type { GridColumns, PlacedColumn } from './gridColumns';
import { GridCursor, HEADER } from './gridCursor';
import { GridHeader } from './gridHeader';
import { type GridByKeys, listenToGridKeys } from './gridKeys';
import { type CellLook, cellId, drawRow } from './gridRow';
import { type FetchRows, RowCache } from './rowCache';
import type { SortDirection, TableRow } from './tableRow';

/** Pixels to the side of what is seen in which cells are drawn as well. */
const SPARE = 200;

export interface GridActions {
  readonly fetchRows: FetchRows<TableRow>;
  readonly failed: (error: unknown) => void;
  /** Sorts by a column, as its header was pressed. */
  readonly sortBy: (column: PlacedColumn) => void;
  readonly openCell: (place: number, column: PlacedColumn) => void;
  readonly copy: () => void;
  readonly selectionChanged: () => void;
  /** Escape was pressed, and there was no selection to leave. */
  readonly leave: () => boolean;
}

export interface GridOptions extends Omit<CellLook, 'loading'> {
  /** Begins the ids of what is in the table; no other on the page has it. */
  readonly id: string;
  readonly strings: GridStrings;
  readonly columns: GridColumns;
  /** How a column is sorted, by its id. */
  readonly directionOf: (column: string) => SortDirection | undefined;
  readonly actions: GridActions;
}

interface Drawn {
  readonly element: HTMLElement;
  readonly row: unknown;
  readonly look: number;
}

/** Rows as a grid of cells, of which only those near what is seen are in the document. */
export class DataGrid implements GridByKeys {
  readonly element: HTMLElement;
  readonly cursor = new GridCursor();
  private readonly rows: VirtualRows;
  private readonly header: GridHeader;
  private readonly cache: RowCache<TableRow>;
  private readonly drawn = new Map<number, Drawn>();
  private window = { start: 0, end: 0 };
  private scrolledTo = 0;
  /** Another number whenever cells look different for another reason than their row. */
  private look = 0;
  private count = 0;

  constructor(private readonly options: GridOptions) {
    const { id, strings, actions, columns, directionOf } = options;
    this.cache = new RowCache({
      ...{ fetchRows: actions.fetchRows, onFailure: actions.failed },
      onRows: () => this.rows.refresh(),
      cellsPerRow: () => columns.total,
    });
    this.header = new GridHeader({
      ...{ id, sortHint: strings.sortHint, resizeHint: strings.resize, directionOf },
      pressed: (column) => this.headerPressed(column),
      resized: (column, width) => this.setWidth(column, width),
    });
    this.rows = new VirtualRows(gridAttributes(id, strings), {
      onWindow: (start, end) => this.prepare(start, end),
      rowAt: (place) => this.rowAt(place),
      onDrawn: () => this.markActive(),
      // What is read later is below: the rows that are seen stay.
      onFollowing: (follows) => follows && this.rows.stay(),
      onStart: () => undefined,
    });
    this.rows.stay();
    const { element: scroller } = this.rows;
    scroller.classList.add('data-rows');
    const keys = element('div', { class: 'visually-hidden', id: keysId(id) }, strings.keys);
    this.element = element('div', { class: 'data-grid' }, this.header.element, scroller, keys);
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    scroller.addEventListener('click', (event) => this.clicked(event));
    scroller.addEventListener('dblclick', () => this.open());
    new ResizeObserver(() => this.columnsChanged()).observe(scroller);
    listenToGridKeys(scroller, this);
  }

  get rowsPerPage(): number {
    return Math.max(1, this.rows.rowsPerPage - 1);
  }

  get isAtHeader(): boolean {
    return this.cursor.place === HEADER;
  }

  get selected(): { readonly start: number; readonly end: number } | undefined {
    return this.cursor.selection(this.count);
  }

  get cursorColumn(): PlacedColumn | undefined {
    return this.options.columns.shown[this.cursor.column];
  }

  /** Other rows are at all places. */
  reset(): void {
    this.cache.clear();
    this.drawn.clear();
    this.cursor.reset();
    this.setCount(0, 0);
    this.rows.change({ first: 0, end: 0, moves: [], anew: true });
  }

  /** @param count rows that can be scrolled to. @param total as many as there are. */
  setCount(count: number, total: number): void {
    this.rows.element.setAttribute('aria-rowcount', String(total + 1));
    if (count === this.count) return;
    this.count = count;
    this.cache.setEnd(count);
    this.rows.change({ first: 0, end: count, moves: [], anew: false });
  }

  /** Takes the first rows, which were read before there was anything to draw. */
  begin(rows: readonly TableRow[]): void {
    this.cache.put(0, rows);
    this.columnsChanged();
  }

  retry(): void {
    this.cache.retry();
  }

  /** Columns have come, gone or become wider, or cells have another form. */
  columnsChanged(): void {
    const { columns } = this.options;
    const { element: scroller } = this.rows;
    this.look += 1;
    const last = Math.max(0, columns.shown.length - 1);
    this.cursor.column = Math.min(this.cursor.column, last);
    scroller.style.setProperty('--columns-width', `${Math.ceil(columns.width)}px`);
    scroller.setAttribute('aria-colcount', String(columns.shown.length));
    this.window = this.columnWindow();
    this.drawHeader();
    this.rows.refresh();
  }

  focus(): void {
    this.rows.element.focus();
  }

  step(rows: number, columns: number, extend: boolean): void {
    const { cursor, count } = this;
    const last = this.options.columns.shown.length - 1;
    if (last < 0) return;
    // Only a single step up goes on to the headers.
    const least = !extend && (rows === -1 || this.isAtHeader) ? HEADER : 0;
    const place = Math.min(Math.max(cursor.place + rows, least), count - 1);
    const column = Math.min(Math.max(cursor.column + columns, 0), last);
    cursor.go(place, column, extend);
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
    else if (this.count > 0) this.options.actions.openCell(this.cursor.place, column);
  }

  resize(by: number): void {
    const column = this.cursorColumn;
    if (column) this.setWidth(column.id, column.width + by);
  }

  copy(): void {
    this.options.actions.copy();
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

  private clicked({ target, shiftKey }: MouseEvent): void {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.data-cell') : null;
    const place = cell?.parentElement?.dataset.place;
    if (!cell || place === undefined) return;
    this.cursor.go(Number(place), Number(cell.dataset.column), shiftKey);
    this.showCursor();
  }

  private showCursor(): void {
    const { place } = this.cursor;
    const { element: scroller } = this.rows;
    const column = this.cursorColumn;
    if (column) {
      const room = scroller.clientWidth;
      const most = Math.min(
        column.left,
        Math.max(scroller.scrollLeft, column.left + column.width - room),
      );
      if (most !== scroller.scrollLeft) scroller.scrollLeft = most;
    }
    if (place !== HEADER) this.rows.scrollTo(place, 'nearest');
    this.scrolled();
    this.selectionChanged();
  }

  private selectionChanged(): void {
    this.markActive();
    this.options.actions.selectionChanged();
  }

  private scrolled(): void {
    const { start, end } = this.columnWindow();
    const isMoved = start !== this.window.start || end !== this.window.end;
    if (isMoved) {
      this.window = { start, end };
      this.look += 1;
      this.rows.refresh();
    }
    if (isMoved || this.rows.element.scrollLeft !== this.scrolledTo) this.drawHeader();
  }

  private columnWindow(): { readonly start: number; readonly end: number } {
    const { scrollLeft, clientWidth } = this.rows.element;
    return this.options.columns.between(scrollLeft - SPARE, scrollLeft + clientWidth + SPARE);
  }

  private drawHeader(): void {
    const { start, end } = this.window;
    this.scrolledTo = this.rows.element.scrollLeft;
    this.header.draw({
      ...{ columns: this.options.columns.shown.slice(start, end), firstColumn: start },
      scrolled: this.scrolledTo,
    });
    this.markActive();
  }

  private prepare(start: number, end: number): void {
    this.cache.want(start, end);
    for (const place of this.drawn.keys()) {
      if (place < start || place >= end) this.drawn.delete(place);
    }
  }

  private rowAt(place: number): HTMLElement {
    const row = this.cache.at(place);
    const known = this.drawn.get(place);
    if (known && known.row === row && known.look === this.look) return known.element;
    const { id, columns, timeText, kindName, strings } = this.options;
    const { start, end } = this.window;
    const made = drawRow({
      ...{ id, place, row, firstColumn: start, columns: columns.shown.slice(start, end) },
      ...{ timeText, kindName, loading: strings.loading },
    });
    this.drawn.set(place, { element: made, row, look: this.look });
    return made;
  }

  /** Marks the cell of the keyboard and the selected rows among those that are drawn. */
  private markActive(): void {
    const { cursor } = this;
    const id = cellId(this.options.id, cursor.place, cursor.column);
    const active = this.element.querySelector(`#${CSS.escape(id)}`);
    for (const marked of this.element.querySelectorAll('.active-cell')) {
      if (marked !== active) marked.classList.remove('active-cell');
    }
    active?.classList.add('active-cell');
    for (const [place, { element: row }] of this.drawn) {
      row.setAttribute('aria-selected', String(cursor.has(place)));
    }
    const { element: scroller } = this.rows;
    if (active) scroller.setAttribute('aria-activedescendant', active.id);
    else scroller.removeAttribute('aria-activedescendant');
  }
}

function keysId(table: string): string {
  return `${table}-keys`;
}

function gridAttributes(id: string, { label }: GridStrings): Readonly<Record<string, string>> {
  return {
    ...{ role: 'grid', 'aria-label': label, 'aria-owns': `${id}-headers` },
    ...{ 'aria-multiselectable': 'true', 'aria-describedby': keysId(id) },
  };
}
