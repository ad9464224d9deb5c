/** Points of one line, bar group or cloud, as doubles. */
export interface PointSeries {
  readonly x: ArrayBuffer;
  readonly y: ArrayBuffer;
}

export interface MergedSeries {
  /** In rising order. The same one again where a series has several points there. */
  readonly x: readonly number[];
  /** What each series has at each place; undefined where it has nothing. */
  readonly y: readonly (readonly (number | undefined)[])[];
}

interface Point {
  readonly series: number;
  readonly x: number;
  readonly y: number;
}

/** Puts series, which have places of their own, onto one list of places, as plots want them. No point is lost. */
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
  /** Where a series goes on among the places that are equal to the last one. */
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
