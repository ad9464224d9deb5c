/**
 * Chooses up to `limit` of `total` things evenly: one out of each of as many stretches of the same length.
 * Which one looks like chance, so that clouds in rows and columns show no stripes, but is always the same.
 */
export class EvenSample {
  readonly count: number;

  constructor(
    readonly total: number,
    limit: number,
  ) {
    this.count = Math.min(total, limit);
  }

  get isAll(): boolean {
    return this.count === this.total;
  }

  /** The thing at a place among those chosen, which are in order. */
  at(place: number): number {
    if (this.isAll) return place;
    const start = this.startOf(place);
    const length = this.startOf(place + 1) - start;
    return start + Math.floor(scatter(place) * length);
  }

  private startOf(place: number): number {
    return Math.floor((place * this.total) / this.count);
  }
}

/** A number from 0 to below 1 for each whole number; neighbors are far apart. */
function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
