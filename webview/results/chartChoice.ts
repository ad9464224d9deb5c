import * as l10n from '@vscode/l10n';
import {
  type ChartKind,
  chartKinds,
  type ChartSeries,
  type ProfiledColumn,
  type ResultChart,
} from '../../src/shared/query/results';
import type { FormatTime } from '../ui/format';

/**
 * The user's settings for a result's chart. Columns are identified by name, so the settings also
 * apply to other results.
 */
export interface ChartChoice {
  readonly kind: ChartKind;
  /**
   * Column on the x axis. If absent, the first time column is used, or a text column for bars. If
   * empty, the row number is used.
   */
  readonly x?: string | undefined;
  /** Columns on the y axis. If absent, the first numeric column is used. */
  readonly y?: readonly string[] | undefined;
  /**
   * Column whose values split lines. If absent, the result of `likelySeries` is used. If empty,
   * lines aren't split.
   */
  readonly series?: string | undefined;
}

/** The columns in a result that the chart shows. */
export interface DrawnColumns {
  readonly x: ProfiledColumn | undefined;
  readonly y: readonly ProfiledColumn[];
  readonly series: ProfiledColumn | undefined;
  /** True if the user chose more numeric columns than the chart can show. */
  readonly isTooMany: boolean;
}

/** Maximum number of drawn columns. */
export const MAX_COLUMNS = 8;
/** Maximum number of lines in a chart. */
const MAX_SERIES = 12;

/** Returns the columns that can be on the x axis. */
export function acrossColumns(
  columns: readonly ProfiledColumn[],
  kind: ChartKind,
): readonly ProfiledColumn[] {
  return columns.filter(
    ({ numbers, times, texts }) => numbers > 0 || times > 0 || (kind === 'bar' && texts > 0),
  );
}

export function numberColumns(columns: readonly ProfiledColumn[]): readonly ProfiledColumn[] {
  return columns.filter(({ numbers }) => numbers > 0);
}

/** Returns the columns whose values can be used as line names. */
export function namingColumns(columns: readonly ProfiledColumn[]): readonly ProfiledColumn[] {
  return columns.filter(({ texts }) => texts > 0);
}

/**
 * Returns the columns to draw: the chosen columns if the result has them, otherwise the most likely
 * columns.
 *
 * @param likely name of the column that splits lines if the user didn't choose one
 */
export function drawnColumns(
  columns: readonly ProfiledColumn[],
  choice: ChartChoice,
  likely?: string,
): DrawnColumns {
  const named = (name: string | undefined): ProfiledColumn | undefined =>
    columns.find((column) => column.name === name);
  const across = acrossColumns(columns, choice.kind);
  const isChosen = choice.x === '' || across.some(({ name }) => name === choice.x);
  const likelyX =
    (choice.kind === 'bar' ? across.find(({ texts }) => texts > 0) : undefined) ??
    across.find(({ times }) => times > 0);
  const x = isChosen ? named(choice.x) : likelyX;
  const numbers = numberColumns(columns);
  const chosen = numbers.filter(({ name }) => choice.y?.includes(name));
  const first = numbers.find((column) => column !== x);
  const y =
    choice.y && (chosen.length > 0 || choice.y.length === 0) ? chosen : first ? [first] : [];
  const name = isSeriesChosen(columns, choice) ? choice.series : likely;
  const series = namingColumns(columns).find((column) => column.name === name);
  return { x, y: y.slice(0, MAX_COLUMNS), series, isTooMany: y.length > MAX_COLUMNS };
}

/**
 * Returns the name of the column that most likely splits a line with repeated x values: the only
 * column other than the x axis that has few distinct text values.
 */
export function likelySeries(
  columns: readonly ProfiledColumn[],
  choice: ChartChoice,
  { x, series, chart }: Pick<DrawnColumns, 'x' | 'series'> & { readonly chart: ResultChart },
): string | undefined {
  if (choice.kind !== 'line' || series || isSeriesChosen(columns, choice)) return undefined;
  if (!chart.series.some(goesBack)) return undefined;
  const naming = namingColumns(columns).filter((column) => column !== x);
  const [few, ...others] = naming.filter(({ texts }) => texts > 1 && texts <= MAX_SERIES);
  return others.length === 0 ? few?.name : undefined;
}

function isSeriesChosen(columns: readonly ProfiledColumn[], { series }: ChartChoice): boolean {
  return series === '' || namingColumns(columns).some(({ name }) => name === series);
}

/** Returns true if a line has multiple points with the same x value. */
function goesBack({ x }: ChartSeries): boolean {
  const xValues = new Float64Array(x);
  return xValues.some((at, index) => index > 0 && at === xValues[index - 1]);
}

/** Returns the valid part of the choice that an earlier instance of the page saved. */
export function readChoice(saved: unknown): ChartChoice {
  const choice: Readonly<Record<string, unknown>> =
    typeof saved === 'object' && saved !== null ? { ...saved } : {};
  const { x, y, series } = choice;
  const kind = chartKinds.find((one) => one === choice.kind) ?? 'line';
  const isNames = Array.isArray(y) && y.every((name) => typeof name === 'string');
  return {
    kind,
    ...(typeof x === 'string' && { x }),
    ...(isNames && { y }),
    ...(typeof series === 'string' && { series }),
  };
}

/** Largest date in milliseconds since 1970. */
const LAST_DATE = 8.64e15;

/** A chart with information about the rows that it shows. */
export interface NotedChart {
  readonly chart: ResultChart;
  readonly kind: ChartKind;
  /** Number of rows that have arrived; the chart shows some of them. */
  readonly among: number;
  /** True if all rows from the query have arrived. */
  readonly isWhole: boolean;
}

/** Formatters for x values. */
interface AcrossTexts {
  readonly number: (value: number) => string;
  /** Formats a time in UTC, as the axis does. */
  readonly time: FormatTime;
}

/** Describes what a chart shows. */
export function describeChart(
  { chart, kind, among, isWhole }: NotedChart,
  /** x values that have points, in ascending order. */
  xValues: readonly number[],
  texts: AcrossTexts,
): string {
  const { series, rows, numbers, thinned, leftOut } = chart;
  const { number } = texts;
  const points = series.reduce((sum, one) => sum + one.points, 0);
  const [first, last] = [xValues[0], xValues.at(-1)];
  const notes: string[] = [];
  if (points === 0 || first === undefined || last === undefined) {
    notes.push(l10n.t('These columns have no values to chart.'));
  } else if (kind === 'bar') {
    const amounts = [points, numbers, rows].map(number);
    notes.push(
      points === 1
        ? l10n.t('1 bar showing {1} numbers from {2} rows', ...amounts)
        : l10n.t('{0} bars showing {1} numbers from {2} rows', ...amounts),
    );
  } else {
    const ends = [first, last].map((at) => formatXValue(at, chart, texts));
    notes.push(
      l10n.t('{0} points in {1} rows, from {2} to {3}', number(points), number(rows), ...ends),
    );
  }
  if (chart.addedUp) notes.push(l10n.t('Numbers in the same bar are added up'));
  if (rows < among) notes.push(l10n.t('Charting {0} of {1} rows', number(rows), number(among)));
  if (!isWhole) notes.push(l10n.t('The query might return more rows than were received'));
  if (thinned) notes.push(l10n.t('Downsampled to the minimum and maximum of each interval'));
  if (leftOut > 0) {
    notes.push(
      l10n.t(
        '{0} more series with fewer points are not drawn. Narrow the query to see them.',
        number(leftOut),
      ),
    );
  }
  return notes.join(' · ');
}

/** Returns the text for an x value. */
export function formatXValue(
  at: number,
  { xKind, labels }: Pick<ResultChart, 'xKind' | 'labels'>,
  { number, time }: AcrossTexts,
): string {
  if (xKind === 'text') return labels[at] ?? '';
  return xKind === 'time' && Math.abs(at) <= LAST_DATE ? time(at) : number(at);
}
