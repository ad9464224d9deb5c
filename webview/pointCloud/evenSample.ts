/**
 * Selects up to `limit` of `total` items evenly: one from each of `limit` ranges of equal length.
 * The choice within a range is deterministic but pseudorandom, so that clouds with points in rows
 * and columns show no stripes.
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

  /** Returns the item at an index of the sample. Items are in ascending order. */
  at(index: number): number {
    if (this.isAll) return index;
    const start = this.getBucketStart(index);
    const length = this.getBucketStart(index + 1) - start;
    return start + Math.floor(scatter(index) * length);
  }

  private getBucketStart(index: number): number {
    return Math.floor((index * this.total) / this.count);
  }
}

/** Hashes an integer to a number in [0, 1); the hashes of neighboring integers are far apart. */
function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
