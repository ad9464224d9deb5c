import { type ChartKind, chartKinds, type ProfiledColumn } from '../../src/shared/query/results';

/** What of a result is drawn. Columns are known by their names, so that it holds for other results. */
export interface ChartChoice {
  readonly kind: ChartKind;
  /** Nothing chosen: a time, or of bars a text. Empty: the row's number. */
  readonly x?: string | undefined;
  /** Nothing chosen: the first number. */
  readonly y?: readonly string[] | undefined;
  readonly series?: string | undefined;
}

/** As many columns as are drawn at once. */
export const MOST_COLUMNS = 8;

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

/** The columns that are drawn: those that were chosen as far as the result has them, or likely ones. */
export function drawnColumns(columns: readonly ProfiledColumn[], choice: ChartChoice) {
  const named = (name: string | undefined): ProfiledColumn | undefined =>
    columns.find((column) => column.name === name);
  const across = acrossColumns(columns, choice.kind);
  const isChosen = choice.x === '' || across.some(({ name }) => name === choice.x);
  const likely =
    (choice.kind === 'bar' ? across.find(({ texts }) => texts > 0) : undefined) ??
    across.find(({ times }) => times > 0);
  const x = isChosen ? named(choice.x) : likely;
  const numbers = numberColumns(columns);
  const chosen = numbers.filter(({ name }) => choice.y?.includes(name));
  const first = numbers.find((column) => column !== x);
  const y =
    choice.y && (chosen.length > 0 || choice.y.length === 0) ? chosen : first ? [first] : [];
  const series = namingColumns(columns).find(({ name }) => name === choice.series);
  return { x, y: y.slice(0, MOST_COLUMNS), series, isTooMany: y.length > MOST_COLUMNS };
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
