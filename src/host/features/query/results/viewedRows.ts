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

/** Rows of a view in its order. @throws the signal's reason when it is aborted. */
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

/** The values of rows of a view in its order. */
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
 * A row, or a cell of it: undefined where the row has no such value.
 * @throws FleetError `notFound` when there is no row at the place.
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

/** A cell or row as a whole; empty where a row has no such value. */
export async function textOf(run: QueryRun, at: ResultPlace, signal: AbortSignal): Promise<string> {
  const value = await valueOf(run, at, signal);
  return value === undefined ? '' : wholeText(value);
}

/** A column as it is copied. @throws FleetError `notFound` when there is none with this id. */
export function copiedColumn({ table }: QueryRun, id: string): CopiedColumn<DataObject> {
  const { name, path } = columnOf(table, id);
  return { name, valueIn: (row) => valueAt(row, path) };
}
