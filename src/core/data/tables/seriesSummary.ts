/** Summary statistics of a series. */
export interface SeriesSummary {
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
}

/** Computes the summary of a series with at least one point. */
export function summarizeSeries(values: ArrayLike<number>): SeriesSummary {
  let [least, greatest, mean] = [Infinity, -Infinity, 0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? NaN;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    // Updates the mean incrementally, because a sum of large numbers would overflow. Dividing each
    // number separately also prevents an overflow of the difference.
    mean += value / (index + 1) - mean / (index + 1);
  }
  return {
    ...{ points: values.length, least, greatest, mean },
    first: values[0] ?? NaN,
    last: values[values.length - 1] ?? NaN,
  };
}
