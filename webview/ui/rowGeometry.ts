/**
 * A shift of all rows from index `at` onward by `by` positions. If `by` is negative, that many rows
 * starting at `at` were removed and the rows after them moved up. If `by` is 0, no row moves, but
 * the row at `at` looks different.
 */
export interface RowMove {
  readonly at: number;
  readonly by: number;
}

/** Returns the index of a row after consecutive moves; undefined if the row was removed. */
export function toMovedIndex(index: number, moves: readonly RowMove[]): number | undefined {
  let now = index;
  for (const { at, by } of moves) {
    if (now < at) continue;
    if (by < 0 && now < at - by) return undefined;
    now += by;
  }
  return now;
}

/**
 * Returns the index of a row after moves. If the row was removed, returns the index of the row that
 * took its position.
 */
export function toNearestMovedIndex(index: number, moves: readonly RowMove[]): number {
  return moves.reduce(
    (now, { at, by }) => (now < at ? now : Math.max(now + by, at + Math.max(by, 0))),
    index,
  );
}

/**
 * Positions of rows, in pixels from the start of the first row. All rows have the same height
 * except for a few that are taller by a known amount. Row indexes are integers from `first` up to
 * but not including `end` and can be negative. Rows with the usual height use no memory, so a
 * million rows need as much memory as ten.
 */
export class RowGeometry {
  private firstIndex = 0;
  private endIndex = 0;
  private readonly extras = new Map<number, number>();

  constructor(
    /** The usual row height, in pixels. */
    public rowHeight: number,
    /** Space before the first row, in pixels. */
    public inset = 0,
  ) {}

  get first(): number {
    return this.firstIndex;
  }

  get end(): number {
    return this.endIndex;
  }

  get count(): number {
    return this.endIndex - this.firstIndex;
  }

  /** Total height of all rows and the space before them. */
  get total(): number {
    return this.getRowTop(this.endIndex);
  }

  setRange(first: number, end: number): void {
    this.firstIndex = first;
    this.endIndex = Math.max(first, end);
    for (const index of this.extras.keys()) if (!this.has(index)) this.extras.delete(index);
  }

  has(index: number): boolean {
    return index >= this.firstIndex && index < this.endIndex;
  }

  /** Sets a row's extra height in pixels; 0 resets the row to the usual height. */
  setExtra(index: number, pixels: number): void {
    if (pixels > 0) this.extras.set(index, pixels);
    else this.extras.delete(index);
  }

  /** Moves the extra heights along with their rows. */
  move(moves: readonly RowMove[]): void {
    const before = [...this.extras];
    this.extras.clear();
    for (const [index, pixels] of before) {
      const now = toMovedIndex(index, moves);
      if (now !== undefined) this.extras.set(now, pixels);
    }
  }

  /** Returns a row's extra height in pixels. */
  getExtraHeight(index: number): number {
    return this.extras.get(index) ?? 0;
  }

  /** Returns the height of the row at an index. */
  getRowHeight(index: number): number {
    return this.rowHeight + this.getExtraHeight(index);
  }

  /** Returns the top of the row at an index. */
  getRowTop(index: number): number {
    let top = this.inset + (index - this.firstIndex) * this.rowHeight;
    for (const [higher, pixels] of this.extras) if (higher < index) top += pixels;
    return top;
  }

  /** Returns the index of the row at a given distance from the start, or of the nearest row. */
  findRowAt(pixels: number): number {
    let passed = 0;
    for (const [place, extra] of [...this.extras].sort(([a], [b]) => a - b)) {
      const top = this.inset + (place - this.firstIndex) * this.rowHeight + passed;
      if (pixels < top) break;
      if (pixels < top + this.rowHeight + extra) return place;
      passed += extra;
    }
    const index = Math.floor((pixels - this.inset - passed) / this.rowHeight);
    return Math.min(Math.max(this.firstIndex + index, this.firstIndex), this.endIndex - 1);
  }
}

/**
 * Maximum height, in CSS pixels, of an element that the browser draws exactly. Chromium stores
 * positions in units of 1/64 device pixel, up to 2^31, and draws with 24 bits of precision. With
 * two or three device pixels per CSS pixel, this is roughly the limit.
 */
export const MAX_CANVAS = 5_000_000;

/** Maximum distance, in viewport heights, of a scroll step that isn't made with the scrollbar. */
const SHORT = 4;

/**
 * Maps the browser's scroll position to rows whose total height can exceed the browser's maximum.
 * Short distances are mapped pixel by pixel; long distances, such as drags of the scrollbar, are
 * mapped in proportion to the height. `lead` is the difference between the two positions: the row
 * position `top` corresponds to the canvas position `top + lead`.
 */
export class ScrollMapping {
  private leadNow = 0;

  constructor(private readonly maxCanvas = MAX_CANVAS) {}

  get lead(): number {
    return this.leadNow;
  }

  /** Returns the canvas height for a total row height. */
  canvas(total: number): number {
    return Math.min(total, this.maxCanvas);
  }

  /**
   * Returns the top of the viewport after the browser scrolls from one position to another; `top`
   * is the previous top.
   */
  getTopAfterScroll(
    top: number,
    from: number,
    to: number,
    total: number,
    viewport: number,
  ): number {
    const room = Math.max(0, total - viewport);
    const canvasRoom = Math.max(0, this.canvas(total) - viewport);
    const isShort = Math.abs(to - from) <= SHORT * viewport || room === canvasRoom;
    const now = isShort ? top + to - from : (to / canvasRoom) * room;
    const clamped = Math.min(Math.max(now, 0), room);
    this.leadNow = to - clamped;
    return clamped;
  }

  /**
   * Returns the position to which the browser must scroll to show a given top. Moves the drawn
   * content accordingly.
   */
  toScrollOffset(top: number, total: number, viewport: number): number {
    const room = Math.max(0, total - viewport);
    const canvasRoom = Math.max(0, this.canvas(total) - viewport);
    const scrolled = room === canvasRoom ? top : Math.round((top / room) * canvasRoom);
    this.leadNow = scrolled - top;
    return scrolled;
  }

  /**
   * Keeps the browser's scroll position while the top of the viewport changes, for example when
   * rows before it are removed.
   */
  preserveScrollOffset(top: number, scrolled: number): void {
    this.leadNow = scrolled - top;
  }
}

/**
 * Returns the indexes of a longest increasing subsequence of distinct numbers. When items are
 * reordered, the items at these indexes don't need to be moved.
 */
export function longestRun(numbers: readonly number[]): ReadonlySet<number> {
  /** For each length, the index of the smallest number that ends a subsequence of that length. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = index;
  });
  const run = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) run.add(index);
  return run;
}
