import type { IndexRange } from '../../../src/shared/data/items';

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
