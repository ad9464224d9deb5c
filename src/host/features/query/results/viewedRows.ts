import { FleetError } from '../../../../core/api/errors';
import { wholeText } from '../../../../core/data/tables/cellText';
import type { CopiedColumn } from '../../../../core/data/tables/copyRows';
import { valueAt } from '../../../../core/data/tables/dataColumns';
import type { DataObject, DataValue } from '../../../../core/data/tables/dataValue';
import type { QueryRun } from '../../../../core/query/queryRun';
import { documentAt } from '../../../../core/query/results/bson/bsonValue';
import type { RowStretch } from '../../../../core/query/results/rowStore';
import type { ResultPlace, ResultView } from '../../../../shared/query/results';
import { columnOf, rowsView } from './shownRows';

/** Returns rows of a view in its order. @throws the signal's reason when it aborts. */
export async function stretchesOf(
  run: QueryRun,
  view: ResultView,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<readonly RowStretch[]> {
  const places = await run.views.places(rowsView(run, view), start, end, signal);
  return run.table.store.rowsAt(places);
}

/** Returns the values of rows of a view in its order. */
export async function documentsOf(
  run: QueryRun,
  view: ResultView,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<readonly DataObject[]> {
  const stretches = await stretchesOf(run, view, start, end, signal);
  return stretches.flatMap(({ bytes, starts }) => starts.map((at) => documentAt(bytes, at)));
}

/**
 * Returns a row, or a cell of it: undefined if the row has no such value.
 * @throws FleetError `notFound` if there is no row at the index.
 */
export async function valueOf(
  run: QueryRun,
  { place, column, ...view }: ResultPlace,
  signal: AbortSignal,
): Promise<DataValue | undefined> {
  const [row] = await documentsOf(run, view, place, place + 1, signal);
  if (!row) throw new FleetError('notFound', 'This row is no longer available.');
  return column === undefined ? row : valueAt(row, columnOf(run.table, column).path);
}

/** Returns a whole cell or row as text; empty if a row has no such value. */
export async function textOf(run: QueryRun, at: ResultPlace, signal: AbortSignal): Promise<string> {
  const value = await valueOf(run, at, signal);
  return value === undefined ? '' : wholeText(value);
}

/** Returns a column for copying. @throws FleetError `notFound` if there is none with this ID. */
export function copiedColumn({ table }: QueryRun, id: string): CopiedColumn<DataObject> {
  const { name, path } = columnOf(table, id);
  return { name, valueIn: (row) => valueAt(row, path) };
}
