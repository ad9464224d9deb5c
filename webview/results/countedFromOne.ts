import type { ResultChart } from '../../src/shared/query/results';

/** A chart whose points are at places of rows, counted from 1 as people do. */
export function countedFromOne(chart: ResultChart): ResultChart {
  const series = chart.series.map((one) => ({
    ...one,
    x: new Float64Array(one.x).map((place) => place + 1).buffer,
  }));
  return { ...chart, series };
}
