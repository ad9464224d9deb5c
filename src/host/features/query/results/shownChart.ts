import type { QueryRun } from '../../../../core/query/queryRun';
import { resultChart } from '../../../../core/query/results/chart/resultChart';
import { toDisplayText } from '../../../../core/model/displayText';
import type { ChartRequest, ProfiledColumn, ResultChart } from '../../../../shared/query/results';
import { columnIndex, columnsFrom, rowsView } from './shownRows';

/**
 * Computes the chart that a page requests.
 * @throws FleetError `notFound` if the column doesn't exist.
 */
export async function shownChart(
  run: QueryRun,
  { kind, x, y, series, ...view }: ChartRequest,
  signal: AbortSignal,
): Promise<ResultChart> {
  const { table, views } = run;
  const question = {
    view: rowsView(run, view),
    addsUp: kind === 'bar',
    x: x === undefined ? undefined : columnIndex(table, x),
    y: y.map((id) => columnIndex(table, id)),
    series: series === undefined ? undefined : columnIndex(table, series),
  };
  const { labels, series: drawn, ...chart } = await resultChart(table, views, question, signal);
  return {
    ...chart,
    labels: labels.map((label) => toDisplayText(label)),
    series: drawn.map(({ name, drawn: points, ...summary }) => ({
      ...summary,
      name: toDisplayText(name),
      x: Float64Array.from(points.x).buffer,
      y: Float64Array.from(points.y).buffer,
    })),
  };
}

/** Returns the columns with the statistics of their values. */
export function profiledColumns({ table }: QueryRun): readonly ProfiledColumn[] {
  return columnsFrom(table, 0).map((column, index) => {
    const { numbers, times, texts } = table.profile(index);
    return { ...column, numbers, times, texts };
  });
}
