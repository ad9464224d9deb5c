import { element } from './elements';
import { type Alignment, VirtualRows } from './virtualRows';

/** An element that is drawn at one index and later reused at another. */
export interface GridCell {
  readonly element: HTMLElement;
}

export interface VirtualGridOptions<Cell extends GridCell> {
  /** `cells`: each row has multiple cells; `rows`: each row is one cell. */
  readonly layout: 'cells' | 'rows';
  /** Minimum cell width in pixels. */
  readonly cellWidth: () => number;
  readonly makeCell: () => Cell;
  /** Draws the item at an index into a cell; called again on every redraw. */
  drawCell(cell: Cell, index: number): void;
  /** Called before drawing with the range of item indexes to draw (end exclusive). */
  onWindow(start: number, end: number): void;
  /** Called when drawing is complete. */
  onDrawn(): void;
}

interface DrawnRow<Cell> {
  readonly element: HTMLElement;
  readonly cells: Cell[];
}

/**
 * A grid of equally sized cells. Only the cells near the viewport are in the document; their
 * elements are reused. `--row-height` is the row height.
 */
export class VirtualGrid<Cell extends GridCell> {
  readonly element: HTMLElement;
  private readonly rows: VirtualRows;
  private drawn = new Map<number, DrawnRow<Cell>>();
  private readonly spare: DrawnRow<Cell>[] = [];
  private total = 0;
  private columnCount = 1;

  constructor(
    attributes: Readonly<Record<string, string>>,
    private readonly options: VirtualGridOptions<Cell>,
  ) {
    this.rows = new VirtualRows(attributes, {
      onWindow: (start, end) => this.windowMoved(start, end),
      rowAt: (row) => this.rowAt(row),
      onDrawn: () => options.onDrawn(),
      // Unlike a log, the list doesn't grow at its end, so it never follows the end.
      onFollowing: (following) => following && this.rows.stay(),
      onStart: () => undefined,
    });
    this.rows.stay();
    this.element = this.rows.element;
    this.describe();
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  get columns(): number {
    return this.columnCount;
  }

  get count(): number {
    return this.total;
  }

  /** Range of the items that are at least partly visible. */
  get seen(): { readonly start: number; readonly end: number } {
    const { start, end } = this.rows.seen;
    return {
      start: Math.max(0, start * this.columnCount),
      end: Math.min(end * this.columnCount, this.total),
    };
  }

  /** Number of items that Page Up and Page Down move by. */
  get pageStep(): number {
    return this.rows.rowsPerPage * this.columnCount;
  }

  /** Sets the number of items; `reset` scrolls to the first item. */
  setCount(count: number, { reset = false } = {}): void {
    this.total = count;
    this.arrange(reset);
    if (reset) this.rows.scrollTo(0, 'start');
  }

  /** Updates the layout after the cell size changed. */
  fit(): void {
    const { layout, cellWidth } = this.options;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const columns = layout === 'rows' ? 1 : Math.max(1, Math.floor(width / cellWidth()));
    if (columns === this.columnCount) return;
    const first = this.seen.start;
    this.columnCount = columns;
    this.clearDrawn();
    this.arrange(false);
    this.scrollTo(first, 'start');
  }

  /** Redraws in the next frame. */
  refresh(): void {
    this.rows.refresh();
  }

  scrollTo(index: number, alignment: Alignment): void {
    this.rows.scrollTo(Math.floor(index / this.columnCount), alignment);
  }

  /** Returns the cell at an index if it is drawn. */
  cellAt(index: number): Cell | undefined {
    const row = this.drawn.get(Math.floor(index / this.columnCount));
    return row?.cells[index % this.columnCount];
  }

  /**
   * Returns any drawn row and its index, from which the positions of all other rows can be derived.
   */
  anyRow(): { readonly row: number; readonly element: HTMLElement } | undefined {
    for (const [row, { element: made }] of this.drawn) {
      if (made.isConnected) return { row, element: made };
    }
    return undefined;
  }

  private arrange(reset: boolean): void {
    const end = Math.ceil(this.total / this.columnCount);
    this.describe();
    this.rows.change({ first: 0, end, moves: [], reset });
  }

  private describe(): void {
    const rows = Math.ceil(this.total / this.columnCount);
    this.element.setAttribute('aria-rowcount', String(rows));
    this.element.style.setProperty('--columns', String(this.columnCount));
    if (this.options.layout === 'cells') {
      this.element.setAttribute('aria-colcount', String(this.columnCount));
    }
  }

  private clearDrawn(): void {
    this.drawn.clear();
    this.spare.length = 0;
  }

  private windowMoved(start: number, end: number): void {
    for (const [row, drawn] of this.drawn) {
      if (row >= start && row < end) continue;
      this.drawn.delete(row);
      this.spare.push(drawn);
    }
    const { columnCount } = this;
    this.options.onWindow(start * columnCount, Math.min(end * columnCount, this.total));
  }

  private rowAt(row: number): HTMLElement {
    const drawn = this.drawn.get(row) ?? this.spare.pop() ?? this.makeRow();
    this.drawn.set(row, drawn);
    const first = row * this.columnCount;
    const index = String(row + 1);
    if (drawn.element.getAttribute('aria-rowindex') !== index) {
      drawn.element.setAttribute('aria-rowindex', index);
    }
    drawn.cells.forEach((cell, column) => {
      const isThere = first + column < this.total;
      if (this.options.layout === 'cells') cell.element.hidden = !isThere;
      if (isThere) this.options.drawCell(cell, first + column);
    });
    return drawn.element;
  }

  private makeRow(): DrawnRow<Cell> {
    const { layout, makeCell } = this.options;
    const cells = Array.from({ length: this.columnCount }, () => makeCell());
    const [only] = cells;
    if (layout === 'rows' && only) return { element: only.element, cells };
    cells.forEach(({ element: cell }, column) =>
      cell.setAttribute('aria-colindex', String(column + 1)),
    );
    const children = cells.map((cell) => cell.element);
    return { element: element('div', { role: 'row', class: 'grid-row' }, ...children), cells };
  }
}
