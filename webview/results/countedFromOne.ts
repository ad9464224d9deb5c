import type { ResultChart } from '../../src/shared/query/results';

/** Returns a chart whose x values are row numbers, counted from 1. */
export function countedFromOne(chart: ResultChart): ResultChart {
  const series = chart.series.map((one) => ({
    ...one,
    x: new Float64Array(one.x).map((value) => value + 1).buffer,
  }));
  return { ...chart, series };
}
