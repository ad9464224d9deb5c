/**
 * Rows at `at` and after it have moved by `by` places. Below 0, so many rows from `at` on are gone and those
 * after them have moved up. 0 moves nothing: the row at `at` looks different.
 */
export interface RowMove {
  readonly at: number;
  readonly by: number;
}

/** Where a row is after the rows have moved, one move after the other; undefined when it is gone. */
export function movedPlace(place: number, moves: readonly RowMove[]): number | undefined {
  let now = place;
  for (const { at, by } of moves) {
    if (now < at) continue;
    if (by < 0 && now < at - by) return undefined;
    now += by;
  }
  return now;
}

/** Where a row is after the rows have moved, or the row that is now where it was. */
export function nearestMovedPlace(place: number, moves: readonly RowMove[]): number {
  return moves.reduce(
    (now, { at, by }) => (now < at ? now : Math.max(now + by, at + Math.max(by, 0))),
    place,
  );
}

/**
 * Where rows are, in pixels from the start of all of them. All rows are equally high but for a few, which
 * are higher by a known amount. Rows have places, whole numbers from `first` up to `end`, which may be
 * below 0. Nothing is kept for a row of the usual height, so that a million rows cost what ten do.
 */
export class RowGeometry {
  private firstPlace = 0;
  private endPlace = 0;
  private readonly extras = new Map<number, number>();

  constructor(
    /** The usual height in pixels. */
    public rowHeight: number,
    /** Pixels before the first row. */
    public inset = 0,
  ) {}

  get first(): number {
    return this.firstPlace;
  }

  get end(): number {
    return this.endPlace;
  }

  get count(): number {
    return this.endPlace - this.firstPlace;
  }

  /** The height of all rows and what is before them. */
  get total(): number {
    return this.topOf(this.endPlace);
  }

  setRange(first: number, end: number): void {
    this.firstPlace = first;
    this.endPlace = Math.max(first, end);
    for (const place of this.extras.keys()) if (!this.has(place)) this.extras.delete(place);
  }

  has(place: number): boolean {
    return place >= this.firstPlace && place < this.endPlace;
  }

  /** Makes a row higher than usual by so many pixels; 0 makes it as the others are. */
  setExtra(place: number, pixels: number): void {
    if (pixels > 0) this.extras.set(place, pixels);
    else this.extras.delete(place);
  }

  /** Takes the higher rows along when rows move. */
  move(moves: readonly RowMove[]): void {
    const before = [...this.extras];
    this.extras.clear();
    for (const [place, pixels] of before) {
      const now = movedPlace(place, moves);
      if (now !== undefined) this.extras.set(now, pixels);
    }
  }

  /** By how much a row is higher than usual, in pixels. */
  extraOf(place: number): number {
    return this.extras.get(place) ?? 0;
  }

  /** The height of the row at a place. */
  heightOf(place: number): number {
    return this.rowHeight + this.extraOf(place);
  }

  /** Where the row at a place begins. */
  topOf(place: number): number {
    let top = this.inset + (place - this.firstPlace) * this.rowHeight;
    for (const [higher, pixels] of this.extras) if (higher < place) top += pixels;
    return top;
  }

  /** The place of the row at a distance from the start; the nearest one when there is none. */
  placeAt(pixels: number): number {
    let passed = 0;
    for (const [place, extra] of [...this.extras].sort(([a], [b]) => a - b)) {
      const top = this.inset + (place - this.firstPlace) * this.rowHeight + passed;
      if (pixels < top) break;
      if (pixels < top + this.rowHeight + extra) return place;
      passed += extra;
    }
    const index = Math.floor((pixels - this.inset - passed) / this.rowHeight);
    return Math.min(Math.max(this.firstPlace + index, this.firstPlace), this.endPlace - 1);
  }
}
