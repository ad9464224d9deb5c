import { element } from './elements';
import { type Alignment, VirtualRows } from './virtualRows';

/** Something that is drawn at a place, and later at another. */
export interface GridCell {
  readonly element: HTMLElement;
}

export interface VirtualGridOptions<Cell extends GridCell> {
  /** Cells fill rows, as many as fit; or each of them is a row of its own. */
  readonly layout: 'cells' | 'rows';
  /** The width that a cell has at least, in pixels. */
  readonly cellWidth: () => number;
  readonly makeCell: () => Cell;
  /** Shows what is at a place; asked again at each drawing. */
  drawCell(cell: Cell, place: number): void;
  /** These places are drawn next, from `start` to the one before `end`. */
  onWindow(start: number, end: number): void;
  /** All is drawn as it is now. */
  onDrawn(): void;
}

interface DrawnRow<Cell> {
  readonly element: HTMLElement;
  readonly cells: Cell[];
}

/**
 * Equal cells in rows, of which only those near what is seen are in the document; their elements are used
 * again for others. `--row-height` is the height of a row.
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
      // New items do not come at the end: it is not followed.
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

  /** Places that are seen, also in part. */
  get seen(): { readonly start: number; readonly end: number } {
    const { start, end } = this.rows.seen;
    return {
      start: Math.max(0, start * this.columnCount),
      end: Math.min(end * this.columnCount, this.total),
    };
  }

  /** How many places one goes on by a page. */
  get pageStep(): number {
    return this.rows.rowsPerPage * this.columnCount;
  }

  /** There are so many places; `reset` begins at the first. */
  setCount(count: number, { reset = false } = {}): void {
    this.total = count;
    this.arrange(reset);
    if (reset) this.rows.scrollTo(0, 'start');
  }

  /** Takes over that cells have another size. */
  fit(): void {
    const { layout, cellWidth } = this.options;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const columns = layout === 'rows' ? 1 : Math.max(1, Math.floor(width / cellWidth()));
    if (columns === this.columnCount) return;
    const first = this.seen.start;
    this.columnCount = columns;
    this.forget();
    this.arrange(false);
    this.scrollTo(first, 'start');
  }

  /** Draws again, in the next frame. */
  refresh(): void {
    this.rows.refresh();
  }

  scrollTo(place: number, alignment: Alignment): void {
    this.rows.scrollTo(Math.floor(place / this.columnCount), alignment);
  }

  /** The cell at a place, if it is drawn. */
  cellAt(place: number): Cell | undefined {
    const row = this.drawn.get(Math.floor(place / this.columnCount));
    return row?.cells[place % this.columnCount];
  }

  /** A row that is drawn, and which one it is: from there on one knows where all the others are. */
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

  private forget(): void {
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
