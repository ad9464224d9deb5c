import type { PointSeries } from './mergeSeries';

/** Of points at the same place across, the one that is farthest from 0: one bar hides the others. */
export function farthestPoints<Series extends PointSeries>(series: Series): Series {
  const [x, y] = [new Float64Array(series.x), new Float64Array(series.y)];
  const farthest = new Map<number, number>();
  x.forEach((at, index) => {
    const value = y[index] ?? NaN;
    const known = farthest.get(at);
    if (known === undefined || Math.abs(value) > Math.abs(known)) farthest.set(at, value);
  });
  if (farthest.size === x.length) return series;
  return {
    ...series,
    x: new Float64Array(farthest.keys()).buffer,
    y: new Float64Array(farthest.values()).buffer,
  };
}
