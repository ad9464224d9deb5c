import type { ReadingOrder, ReadingRow, ReadingSort } from '../../../src/shared/data/readings';
import type { ReadingStrings } from '../../../src/shared/data/readingStrings';
import { VirtualRows } from '../../ui/virtualRows';
import { element } from '../../ui/elements';
import type { GridColumns, PlacedColumn } from './gridColumns';
import { GridCursor, HEADER } from './gridCursor';
import { GridHeader, HEADER_ID } from './gridHeader';
import { type GridByKeys, listenToGridKeys } from './gridKeys';
import { cellId, drawRow } from './gridRow';
import { type FetchRows, RowCache } from './rowCache';

/** Pixels to the side of what is seen in which cells are drawn as well. */
const SPARE = 200;
/** Cells of rows before and after those that are drawn. */
const CELLS_AHEAD = 5_000;

export interface GridActions {
  readonly fetchRows: FetchRows;
  readonly failed: (error: unknown) => void;
  /** Sorts by a column, as its header was pressed. */
  readonly sortBy: (column: PlacedColumn) => void;
  readonly openCell: (place: number, column: PlacedColumn) => void;
  readonly copy: () => void;
  readonly selectionChanged: () => void;
  /** Escape was pressed, and there was no selection to leave. */
  readonly leave: () => boolean;
}

export interface GridOptions {
  readonly strings: ReadingStrings;
  readonly columns: GridColumns;
  readonly timeText: () => (at: number) => string;
  readonly order: () => { readonly order: ReadingOrder; readonly sort: ReadingSort | undefined };
  readonly actions: GridActions;
}

interface Drawn {
  readonly element: HTMLElement;
  readonly row: unknown;
  readonly look: number;
}

/** Readings as a grid of cells, of which only those near what is seen are in the document. */
export class ReadingsGrid implements GridByKeys {
  readonly element: HTMLElement;
  readonly cursor = new GridCursor();
  private readonly rows: VirtualRows;
  private readonly header: GridHeader;
  private readonly cache: RowCache;
  private readonly drawn = new Map<number, Drawn>();
  private window = { start: 0, end: 0 };
  /** Another number whenever cells look different for another reason than their row. */
  private look = 0;
  private count = 0;

  constructor(private readonly options: GridOptions) {
    const { strings, actions } = options;
    this.cache = new RowCache(
      actions.fetchRows,
      () => this.rows.refresh(),
      actions.failed,
      () => this.margin(),
    );
    this.header = new GridHeader({
      ...{ sortHint: strings.table.sortHint, resizeHint: strings.table.resize },
      pressed: (column) => this.headerPressed(column),
      resized: (id, width) => this.setWidth(id, width),
    });
    this.rows = new VirtualRows(gridAttributes(strings), {
      onWindow: (start, end) => this.prepare(start, end),
      rowAt: (place) => this.rowAt(place),
      onDrawn: () => this.markActive(),
      // What is read later is below: the rows that are seen stay.
      onFollowing: (follows) => follows && this.rows.stay(),
      onStart: () => undefined,
    });
    this.rows.stay();
    const { element: scroller } = this.rows;
    scroller.classList.add('reading-rows');
    const keys = element('div', { class: 'visually-hidden', id: KEYS_ID }, strings.table.keys);
    this.element = element('div', { class: 'readings-grid' }, this.header.element, scroller, keys);
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

  /** @param count rows that can be scrolled to. @param total as many as the filter selects. */
  setCount(count: number, total: number): void {
    this.rows.element.setAttribute('aria-rowcount', String(total + 1));
    if (count === this.count) return;
    this.count = count;
    this.cache.setEnd(count);
    this.rows.change({ first: 0, end: count, moves: [], anew: false });
  }

  /** Takes the first rows, which were read before there was anything to draw. */
  begin(rows: readonly ReadingRow[]): void {
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

  /** Wide rows are asked for in small numbers: all their cells are sent. */
  private margin(): number {
    return Math.min(100, Math.ceil(CELLS_AHEAD / Math.max(1, this.options.columns.all.length)));
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
    const cell = target instanceof Element ? target.closest<HTMLElement>('.reading-cell') : null;
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
    if (start !== this.window.start || end !== this.window.end) {
      this.window = { start, end };
      this.look += 1;
      this.rows.refresh();
    }
    this.drawHeader();
  }

  private columnWindow(): { readonly start: number; readonly end: number } {
    const { scrollLeft, clientWidth } = this.rows.element;
    return this.options.columns.between(scrollLeft - SPARE, scrollLeft + clientWidth + SPARE);
  }

  private drawHeader(): void {
    const { columns, order } = this.options;
    const { start, end } = this.window;
    this.header.draw({
      ...{ columns: columns.shown.slice(start, end), firstColumn: start, ...order() },
      scrolled: this.rows.element.scrollLeft,
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
    const { columns, timeText, strings } = this.options;
    const { start, end } = this.window;
    const made = drawRow({
      ...{ place, row, firstColumn: start, columns: columns.shown.slice(start, end) },
      ...{ timeText: timeText(), loading: strings.table.loading },
    });
    this.drawn.set(place, { element: made, row, look: this.look });
    return made;
  }

  /** Marks the cell of the keyboard and the selected rows among those that are drawn. */
  private markActive(): void {
    const { cursor } = this;
    const active = document.getElementById(cellId(cursor.place, cursor.column));
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

const KEYS_ID = 'reading-keys';

function gridAttributes({ table }: ReadingStrings): Readonly<Record<string, string>> {
  return {
    ...{ role: 'grid', 'aria-label': table.label, 'aria-owns': HEADER_ID },
    ...{ 'aria-multiselectable': 'true', 'aria-describedby': KEYS_ID },
  };
}
