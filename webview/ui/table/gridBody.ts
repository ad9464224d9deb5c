import { VirtualRows } from '../virtualRows';
import type { CellStyle } from './gridCell';
import type { GridColumns } from './gridColumns';
import { GridRow, type RowDetail } from './gridRow';
import { type FetchRows, RowCache } from './rowCache';
import type { TableRow } from './tableRow';

/** Distance, in pixels, to the left and right of the viewport within which cells are also drawn. */
const SPARE = 200;

export interface BodyOptions {
  readonly attributes: Readonly<Record<string, string>>;
  readonly columns: GridColumns;
  readonly cellStyle: CellStyle;
  readonly fetchRows: FetchRows<TableRow>;
  readonly failed: (error: unknown) => void;
  /** Called when drawing is complete. */
  readonly onDrawn: () => void;
  /** Called when the set of drawn columns or their positions change. */
  readonly onSideways: () => void;
}

/** The rows in a table. Only the rows near the viewport are loaded and in the document. */
export class GridBody {
  readonly rows: VirtualRows;
  private readonly cache: RowCache<TableRow>;
  private readonly drawn = new DrawnRows();
  private readonly details = new Map<number, RowDetail>();
  private window = { start: 0, end: 0 };
  private scrolledTo = 0;
  /**
   * Changes whenever the cells must be redrawn although neither their row nor the drawn columns
   * changed.
   */
  private version = 0;
  private count = 0;

  constructor(private readonly options: BodyOptions) {
    const { attributes, columns, fetchRows, failed, onDrawn } = options;
    this.cache = new RowCache({
      fetchRows,
      onFailure: failed,
      onRows: () => this.rows.refresh(),
      cellsPerRow: () => columns.total,
    });
    this.rows = new VirtualRows(attributes, {
      onWindow: (start, end) => {
        this.cache.request(start, end);
        this.retainFocus(start, end);
        this.drawn.retainRange(start, end);
      },
      rowAt: (rowIndex) => this.draw(rowIndex),
      onDrawn,
      // Rows that are loaded later are added below, so the list doesn't follow its end and the
      // visible rows stay where they are.
      onFollowing: (follows) => follows && this.rows.stay(),
      onStart: () => undefined,
    });
    this.rows.stay();
    this.element.classList.add('data-rows');
    this.element.addEventListener('scroll', () => this.scrolled(), { passive: true });
  }

  get element(): HTMLElement {
    return this.rows.element;
  }

  /** The drawn columns, their horizontal scroll position, and the version of their appearance. */
  get sideways() {
    const { window, scrolledTo: scrolled, version } = this;
    return { ...window, scrolled, version };
  }

  get drawnRows(): Iterable<readonly [place: number, row: GridRow]> {
    return this.drawn.entries();
  }

  /** Returns the loaded row at an index. */
  rowAt(rowIndex: number): TableRow | undefined {
    return this.cache.at(rowIndex);
  }

  /** Returns the cell at a row and column index if it is drawn. */
  cellAt(rowIndex: number, column: number): HTMLElement | undefined {
    return this.drawn.at(rowIndex)?.cell(column);
  }

  /** Resets the body because all rows changed. */
  reset(): void {
    this.cache.clear();
    this.details.clear();
    this.setCount(0);
    this.rows.change({ first: 0, end: 0, moves: [], reset: true });
  }

  /** @param count number of rows that the user can scroll to */
  setCount(count: number): void {
    if (count === this.count) return;
    this.count = count;
    this.cache.setEnd(count);
    this.rows.change({ first: 0, end: count, moves: [], reset: false });
  }

  /** Adds the first rows, which were loaded before the table was drawn. */
  begin(rows: readonly TableRow[]): void {
    this.cache.put(0, rows);
  }

  retry(): void {
    this.cache.retry();
  }

  /** Redraws after columns were added, removed, or resized, or the cell format changed. */
  columnsChanged(): void {
    const { columns } = this.options;
    this.element.style.setProperty('--columns-width', `${Math.ceil(columns.width)}px`);
    this.element.style.setProperty('--seen-width', `${this.element.clientWidth}px`);
    this.element.setAttribute('aria-colcount', String(columns.shown.length));
    this.version += 1;
    this.moveWindow();
  }

  detailAt(rowIndex: number): RowDetail | undefined {
    return this.details.get(rowIndex);
  }

  /** Shows details below a row; undefined hides the current details. */
  setDetail(rowIndex: number, detail: RowDetail | undefined): void {
    if (detail) this.details.set(rowIndex, detail);
    else this.details.delete(rowIndex);
    this.rows.setExtra(rowIndex, detail?.pixels ?? 0);
    // Draw immediately, because the details below a row can receive the keyboard focus.
    if (this.drawn.at(rowIndex)) this.draw(rowIndex);
    this.rows.refresh();
  }

  /** Scrolls a cell into view. */
  reveal(rowIndex: number, column: { readonly left: number; readonly width: number }): void {
    const { element: scroller } = this;
    const { scrollLeft, clientWidth } = scroller;
    const { left, width } = column;
    const most = Math.min(left, Math.max(scrollLeft, left + width - clientWidth));
    if (most !== scrollLeft) scroller.scrollLeft = most;
    if (rowIndex >= 0) this.rows.scrollTo(rowIndex, 'nearest');
    this.scrolled();
  }

  /**
   * Keeps the keyboard focus in the table when expanded details leave the document with their row.
   */
  private retainFocus(start: number, end: number): void {
    const { activeElement } = document;
    for (const [place, { element: unfolded }] of this.details) {
      const goes = place < start || place >= end;
      if (goes && unfolded.contains(activeElement)) this.element.focus({ preventScroll: true });
    }
  }

  private scrolled(): void {
    const { start, end } = this.columnWindow();
    if (start !== this.window.start || end !== this.window.end) {
      this.moveWindow();
    } else if (this.element.scrollLeft !== this.scrolledTo) {
      this.scrolledTo = this.element.scrollLeft;
      this.options.onSideways();
    }
  }

  private moveWindow(): void {
    this.window = this.columnWindow();
    this.scrolledTo = this.element.scrollLeft;
    this.options.onSideways();
    this.rows.refresh();
  }

  private columnWindow(): { readonly start: number; readonly end: number } {
    const { scrollLeft, clientWidth } = this.element;
    return this.options.columns.between(scrollLeft - SPARE, scrollLeft + clientWidth + SPARE);
  }

  private draw(rowIndex: number): HTMLElement {
    const { columns, cellStyle } = this.options;
    const { start, end } = this.window;
    const drawn = this.drawn.take(rowIndex);
    drawn.show({
      ...cellStyle,
      rowIndex,
      row: this.cache.at(rowIndex),
      detail: this.details.get(rowIndex),
      columns: columns.shown.slice(start, end),
      firstColumn: start,
      version: this.version,
    });
    return drawn.element;
  }
}

/**
 * The rows in a table that are in the document, by index. Elements for rows that scroll out of view
 * are reused.
 */
class DrawnRows {
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
