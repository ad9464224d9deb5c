import type { ChartKind, ResultChart } from '../../src/shared/query/results';
import { farthestPoints } from '../ui/chart/farthestPoints';

export interface DrawableChart {
  readonly chart: ResultChart;
  /** Bars stand for several rows each. */
  readonly isShared: boolean;
}

/** What is drawn of a chart's points. @param ofPlaces people count rows from 1 */
export function drawable(chart: ResultChart, kind: ChartKind, ofPlaces: boolean): DrawableChart {
  if (ofPlaces) {
    const series = chart.series.map((one) => ({
      ...one,
      x: new Float64Array(one.x).map((place) => place + 1).buffer,
    }));
    return { chart: { ...chart, series }, isShared: false };
  }
  if (kind !== 'bar') return { chart, isShared: false };
  const series = chart.series.map(farthestPoints);
  const isShared = series.some((one, index) => one !== chart.series[index]);
  return { chart: { ...chart, series }, isShared };
}
