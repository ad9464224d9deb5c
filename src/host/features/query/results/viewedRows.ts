import { FleetError } from '../../../../core/api/errors';
import { formatFullValue } from '../../../../core/data/tables/formatCell';
import type { CopiedColumn } from '../../../../core/data/tables/copyRows';
import { valueAt } from '../../../../core/data/tables/dataColumns';
import type { DataObject, DataValue } from '../../../../core/data/tables/dataValue';
import type { QueryRun } from '../../../../core/query/queryRun';
import { documentAt } from '../../../../core/query/results/bson/bsonValue';
import type { RowChunk } from '../../../../core/query/results/rowStore';
import type { ResultCellRef, ResultView } from '../../../../shared/query/results';
import { getColumn, rowsView } from './shownRows';

/**
 * Returns rows of a view in the order of the view.
 * @throws the signal's reason when it aborts.
 */
export async function readRowChunks(
  run: QueryRun,
  view: ResultView,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<readonly RowChunk[]> {
  const rowIndexes = await run.views.toRowIndexes(rowsView(run, view), start, end, signal);
  return run.table.store.rowsAt(rowIndexes);
}

/** Returns the values of a view's rows in the order of the view. */
export async function readDocuments(
  run: QueryRun,
  view: ResultView,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<readonly DataObject[]> {
  const chunks = await readRowChunks(run, view, start, end, signal);
  return chunks.flatMap(({ bytes, starts }) => starts.map((at) => documentAt(bytes, at)));
}

/**
 * Returns a row or one of its cells; undefined if the row has no such value.
 * @throws FleetError `notFound` if there is no row at the index.
 */
export async function readValue(
  run: QueryRun,
  { rowIndex: place, column, ...view }: ResultCellRef,
  signal: AbortSignal,
): Promise<DataValue | undefined> {
  const [row] = await readDocuments(run, view, place, place + 1, signal);
  if (!row) throw new FleetError('notFound', 'This row is no longer available.');
  return column === undefined ? row : valueAt(row, getColumn(run.table, column).path);
}

/** Returns a complete cell or row as text; empty if the row has no such value. */
export async function readFullText(
  run: QueryRun,
  at: ResultCellRef,
  signal: AbortSignal,
): Promise<string> {
  const value = await readValue(run, at, signal);
  return value === undefined ? '' : formatFullValue(value);
}

/**
 * Returns a column for copying.
 * @throws FleetError `notFound` if there is no column with this ID.
 */
export function copiedColumn({ table }: QueryRun, id: string): CopiedColumn<DataObject> {
  const { name, path } = getColumn(table, id);
  return { name, valueIn: (row) => valueAt(row, path) };
}
