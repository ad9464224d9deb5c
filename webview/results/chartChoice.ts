import {
  type ChartKind,
  chartKinds,
  type ChartSeries,
  type ProfiledColumn,
  type ResultChart,
} from '../../src/shared/query/results';

/** What of a result is drawn. Columns are known by their names, so that it holds for other results. */
export interface ChartChoice {
  readonly kind: ChartKind;
  /** Nothing chosen: a time, or of bars a text. Empty: the row's number. */
  readonly x?: string | undefined;
  /** Nothing chosen: the first number. */
  readonly y?: readonly string[] | undefined;
  /** Nothing chosen: what `likelySeries` finds. Empty: nothing tells lines apart. */
  readonly series?: string | undefined;
}

/** What is drawn of a result. */
export interface DrawnColumns {
  readonly x: ProfiledColumn | undefined;
  readonly y: readonly ProfiledColumn[];
  readonly series: ProfiledColumn | undefined;
  /** More numbers were chosen than are drawn at once. */
  readonly isTooMany: boolean;
}

/** As many columns as are drawn at once. */
export const MOST_COLUMNS = 8;
/** As many lines as a chart draws. */
const MOST_SERIES = 12;

/** Columns that can stand across. */
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

/** Columns whose values can name lines. */
export function namingColumns(columns: readonly ProfiledColumn[]): readonly ProfiledColumn[] {
  return columns.filter(({ texts }) => texts > 0);
}

/**
 * The columns that are drawn: those that were chosen as far as the result has them, or likely ones.
 *
 * @param likely the name of the column that tells lines apart where none was chosen for it
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
  return { x, y: y.slice(0, MOST_COLUMNS), series, isTooMany: y.length > MOST_COLUMNS };
}

/**
 * The column whose values are likely to tell apart what was drawn as one line that goes back and forth: the
 * only one, besides what is across, that has few texts.
 */
export function likelySeries(
  columns: readonly ProfiledColumn[],
  choice: ChartChoice,
  { x, series, chart }: Pick<DrawnColumns, 'x' | 'series'> & { readonly chart: ResultChart },
): string | undefined {
  if (choice.kind !== 'line' || series || isSeriesChosen(columns, choice)) return undefined;
  if (!chart.series.some(goesBack)) return undefined;
  const naming = namingColumns(columns).filter((column) => column !== x);
  const [few, ...others] = naming.filter(({ texts }) => texts > 1 && texts <= MOST_SERIES);
  return others.length === 0 ? few?.name : undefined;
}

function isSeriesChosen(columns: readonly ProfiledColumn[], { series }: ChartChoice): boolean {
  return series === '' || namingColumns(columns).some(({ name }) => name === series);
}

/** Whether a line has several points at the same place across. */
function goesBack({ x }: ChartSeries): boolean {
  const places = new Float64Array(x);
  return places.some((at, index) => index > 0 && at === places[index - 1]);
}

/** What an earlier life of the page kept, as far as it is that. */
export function readChoice(kept: unknown): ChartChoice {
  const choice: Readonly<Record<string, unknown>> =
    typeof kept === 'object' && kept !== null ? { ...kept } : {};
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
