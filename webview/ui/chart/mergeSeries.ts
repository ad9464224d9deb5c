/** Points in one line, bar group, or cloud; coordinates are doubles. */
export interface PointSeries {
  readonly x: ArrayBuffer;
  readonly y: ArrayBuffer;
}

export interface MergedSeries {
  /**
   * x values in ascending order. An x value is repeated if a series has multiple points with that
   * value.
   */
  readonly x: readonly number[];
  /** y value for each series at each index; undefined if the series has no point there. */
  readonly y: readonly (readonly (number | undefined)[])[];
}

interface Point {
  readonly series: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Merges series with different x values into one list of x values, as the plot requires. Preserves
 * all points.
 */
export function mergeSeries(all: readonly PointSeries[]): MergedSeries {
  const points = all.flatMap(({ x, y }, series): Point[] => {
    const values = new Float64Array(y);
    return Array.from(new Float64Array(x), (at, index) => ({
      series,
      x: at,
      y: values[index] ?? NaN,
    }));
  });
  points.sort((a, b) => a.x - b.x);
  const x: number[] = [];
  const columns = all.map((): (number | undefined)[] => []);
  /**
   * For each series, the next free index among the indexes with the same x value as the last point.
   */
  let next = all.map(() => 0);
  for (const point of points) {
    if (x.at(-1) !== point.x) next = all.map(() => x.length);
    const place = next[point.series] ?? 0;
    next[point.series] = place + 1;
    if (place === x.length) {
      x.push(point.x);
      for (const column of columns) column.push(undefined);
    }
    const column = columns[point.series];
    if (column && Number.isFinite(point.y)) column[place] = point.y;
  }
  return { x, y: columns };
}
