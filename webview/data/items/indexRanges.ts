import type { IndexRange } from '../../../src/shared/data/items';

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
    } else ordered.push(range);
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
export function countIndexes(ranges: IndexRanges): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}
