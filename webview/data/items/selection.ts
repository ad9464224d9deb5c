import type { IndexRange, ItemPlacement, SelectionRef } from '../../../src/shared/data/items';

/**
 * The selected items, by index, and the active item. Indexes don't change within a generation, so
 * the selection stays valid when more items are loaded.
 */
export class Selection {
  private chosen: IndexRanges = [];
  private isAll = false;
  private anchor: number | undefined;
  private head: number | undefined;
  /** The selection without the range from the anchor. */
  private base: IndexRanges = [];
  private total = 0;

  /** Index of the active item. */
  get active(): number | undefined {
    return this.head;
  }

  /** True if everything that matches the filter is selected, including items that aren't loaded. */
  get all(): boolean {
    return this.isAll;
  }

  get ranges(): IndexRanges {
    return this.isAll ? orderedRanges([{ start: 0, end: this.total }]) : this.chosen;
  }

  get count(): number {
    return countIndexes(this.ranges);
  }

  has(index: number): boolean {
    return this.isAll ? index < this.total : rangesHave(this.chosen, index);
  }

  /** Clears the selection and sets the number of items. */
  reset(count: number): void {
    this.clear();
    this.head = undefined;
    this.anchor = undefined;
    this.total = count;
  }

  /** Sets the number of items; deselects items beyond that number. */
  setCount(count: number): void {
    this.total = count;
    const beyond = { start: count, end: Infinity };
    this.chosen = withoutRange(this.chosen, beyond);
    this.base = withoutRange(this.base, beyond);
    if (this.head !== undefined) {
      this.head = count === 0 ? undefined : Math.min(this.head, count - 1);
    }
  }

  /** Selects only the item at an index. */
  choose(index: number): void {
    this.set([{ start: index, end: index + 1 }]);
    this.base = [];
    this.anchor = this.head = index;
  }

  /** Selects the item at an index, or deselects it if it is selected. */
  toggle(index: number): void {
    const one = { start: index, end: index + 1 };
    const { ranges } = this;
    this.set(this.has(index) ? withoutRange(ranges, one) : [...ranges, one]);
    this.base = this.chosen;
    this.anchor = this.head = index;
  }

  /**
   * Selects the range from the anchor to an index. If `add` is true, the rest of the selection is
   * preserved.
   */
  extendTo(index: number, { add = false } = {}): void {
    const anchor = this.anchor ?? this.head ?? index;
    if (!add) this.base = [];
    const range = { start: Math.min(anchor, index), end: Math.max(anchor, index) + 1 };
    this.set([...this.base, range]);
    this.anchor = anchor;
    this.head = index;
  }

  /** Makes an item active without selecting it. */
  moveTo(index: number): void {
    this.base = this.ranges;
    this.anchor = this.head = index;
  }

  /** Selects ranges in addition to `baseRanges`. */
  selectRanges(ranges: readonly IndexRange[], baseRanges: IndexRanges): void {
    this.set([...baseRanges, ...ranges]);
  }

  selectAll(): void {
    this.isAll = true;
    this.chosen = [];
    this.base = [];
  }

  /** Clears the selection; the active item stays the same. */
  clear(): void {
    this.isAll = false;
    this.chosen = [];
    this.base = [];
  }

  /** Returns the selection in the format that the host expects. */
  ref(generation: number, placement: ItemPlacement): SelectionRef {
    return { generation, placement, ranges: this.ranges, all: this.isAll };
  }

  private set(ranges: readonly IndexRange[]): void {
    this.isAll = false;
    this.chosen = orderedRanges(ranges);
  }
}

/** Ranges of indexes: sorted, nonempty, and neither adjacent nor overlapping. */
export type IndexRanges = readonly IndexRange[];

/** Normalizes ranges to `IndexRanges`. */
export function orderedRanges(ranges: readonly IndexRange[]): IndexRanges {
  const ordered: IndexRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    if (range.end <= range.start) continue;
    const before = ordered.at(-1);
    if (before && range.start <= before.end) {
      ordered[ordered.length - 1] = {
        start: before.start,
        end: Math.max(before.end, range.end),
      };
    } else {
      ordered.push(range);
    }
  }
  return ordered;
}

export function withoutRange(ranges: IndexRanges, { start, end }: IndexRange): IndexRanges {
  return orderedRanges(
    ranges.flatMap((range) => [
      { start: range.start, end: Math.min(range.end, start) },
      { start: Math.max(range.start, end), end: range.end },
    ]),
  );
}

/**
 * Returns true if an index is in one of the ranges. Uses binary search, because it is called for
 * each drawn cell.
 */
export function rangesHave(ranges: IndexRanges, index: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (!range) return false;
    if (index < range.start) high = middle - 1;
    else if (index >= range.end) low = middle + 1;
    else return true;
  }
  return false;
}

/** Returns the number of indexes in the ranges. */
function countIndexes(ranges: IndexRanges): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** A rectangle over the cells, in pixels from the start of the first cell. */
interface BandRectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the indexes of the cells that a rectangle touches, as one range per row. */
export function bandRanges(
  { left, right, top, bottom }: BandRectangle,
  cell: { readonly width: number; readonly height: number },
  columns: number,
  count: number,
): readonly IndexRange[] {
  const firstColumn = Math.max(0, Math.floor(left / cell.width));
  const lastColumn = Math.min(columns - 1, Math.floor(right / cell.width));
  const firstRow = Math.max(0, Math.floor(top / cell.height));
  const lastRow = Math.min(Math.ceil(count / columns) - 1, Math.floor(bottom / cell.height));
  if (lastColumn < firstColumn || lastRow < firstRow) return [];
  const end = (row: number): number => Math.min(row * columns + lastColumn + 1, count);
  if (firstColumn === 0 && lastColumn === columns - 1) {
    return [{ start: firstRow * columns, end: end(lastRow) }];
  }
  return Array.from({ length: lastRow - firstRow + 1 }, (_, index) => {
    const row = firstRow + index;
    return { start: row * columns + firstColumn, end: end(row) };
  }).filter((range) => range.end > range.start);
}
