import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import {
  formatCell,
  formatFullValue,
  getCellKind,
  type ValueLabels,
} from '../../../../core/data/tables/formatCell';
import type { CopiedColumn } from '../../../../core/data/tables/copyRows';
import { type DataColumn, valueAt } from '../../../../core/data/tables/dataColumns';
import {
  type DataObject,
  type DataValue,
  isDataObject,
} from '../../../../core/data/tables/dataValue';
import type { QueryRun } from '../../../../core/query/queryRun';
import { documentAt, readDataValue } from '../../../../core/query/results/bson/bsonValue';
import type { RowChunk } from '../../../../core/query/results/rowStore';
import type {
  ChartRequest,
  ProfiledColumn,
  ResultCellRef,
  ResultChart,
  ResultNode,
  ResultRow,
  ResultView,
} from '../../../../shared/query/results';
import { toDisplayText } from '../../../../core/model/displayText';
import { resultChart } from '../../../../core/query/results/chart/resultChart';
import { describeColumnType } from '../../../../core/query/results/rowColumns';
import type { ResultTable } from '../../../../core/query/results/resultTable';
import type { RowsView } from '../../../../core/query/results/resultViews';
import type { ValueCell, ValueColumn } from '../../../../shared/tables';

/**
 * Returns rows in a view, in view order.
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

/** Returns the values in a view's rows, in view order. */
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
  { rowIndex, column, ...view }: ResultCellRef,
  signal: AbortSignal,
): Promise<DataValue | undefined> {
  const [row] = await readDocuments(run, view, rowIndex, rowIndex + 1, signal);
  if (!row) throw new FleetError('notFound', vscode.l10n.t('This row is no longer available.'));
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
 * @throws FleetError `notFound` if no column has this ID.
 */
export function copiedColumn({ table }: QueryRun, id: string): CopiedColumn<DataObject> {
  const { name, path } = getColumn(table, id);
  return { name, valueIn: (row) => valueAt(row, path) };
}

/** Maximum number of children in one response. */
const MAX_NODES = 500;

/**
 * Returns one level in a row or cell: the contents of the value at a path. Returns an empty list if
 * no value exists at the path.
 */
export function nodesAt(
  whole: DataValue | undefined,
  path: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  labels: ValueLabels,
): { readonly nodes: readonly ResultNode[]; readonly size: number } {
  let value = whole;
  for (const key of path) value = findChild(value, key);
  const keys = listKeys(value);
  const shown = keys.slice(start, Math.min(end, start + MAX_NODES));
  return {
    size: keys.length,
    nodes: shown.flatMap((key) => {
      const child = findChild(value, key);
      return child === undefined ? [] : toResultNode(key, child, labels);
    }),
  };
}

function toResultNode(key: string, value: DataValue, labels: ValueLabels): ResultNode {
  const name = toDisplayText(key);
  if (Array.isArray(value)) return { key: name, kind: 'list', text: '', size: value.length };
  if (isDataObject(value)) {
    return { key: name, kind: 'object', text: '', size: Object.keys(value).length };
  }
  return { key: name, kind: getCellKind(value), text: formatCell(value, labels) };
}

function listKeys(value: DataValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map((_, index) => String(index));
  return isDataObject(value) ? Object.keys(value) : [];
}

function findChild(value: DataValue | undefined, key: string): DataValue | undefined {
  if (isList(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  if (!isDataObject(value)) return undefined;
  // Pages receive only sanitized names, so a name from a page must also be compared with the
  // sanitized names.
  const name = Object.hasOwn(value, key)
    ? key
    : Object.keys(value).find((one) => toDisplayText(one) === key);
  return name === undefined ? undefined : value[name];
}

function isList(value: DataValue | undefined): value is readonly DataValue[] {
  return Array.isArray(value);
}

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

/** Returns the columns with statistics for their values. */
export function profiledColumns({ table }: QueryRun): readonly ProfiledColumn[] {
  return columnsFrom(table, 0).map((column, index) => {
    const { numbers, times, texts } = table.profile(index);
    return { ...column, numbers, times, texts };
  });
}

/**
 * Converts a view from the page so that it refers to the run's columns.
 * @throws `notFound` if a column doesn't exist.
 */
export function rowsView({ table }: QueryRun, { sort, find, filters }: ResultView): RowsView {
  return {
    find,
    sort: sort && { column: columnIndex(table, sort.column), descending: sort.descending },
    filters: filters?.map((filter) => ({ ...filter, column: columnIndex(table, filter.column) })),
  };
}

/** Returns the columns for the page, starting at an index. */
export function columnsFrom({ columns }: ResultTable, start: number): readonly ValueColumn[] {
  return columns.slice(start).map(({ name }, index) => ({
    id: columnId(start + index),
    name: toDisplayText(name),
  }));
}

/**
 * Returns the types of all columns, based on the values received so far. The type names are part of
 * the query language, so they are not localized.
 */
export function columnTypes(table: ResultTable): readonly string[] {
  return table.columns.map((_, index) => describeColumnType(table.profile(index)));
}

function columnId(index: number): string {
  return `c${index}`;
}

/** @throws `notFound` if no column has this ID. */
function columnIndex({ columns }: ResultTable, id: string): number {
  const index = /^c\d+$/.test(id) ? Number(id.slice(1)) : -1;
  if (columns[index] === undefined) throw createColumnError();
  return index;
}

/** @throws `notFound` if no column has this ID. */
function getColumn(table: ResultTable, id: string): DataColumn {
  const column = table.columns[columnIndex(table, id)];
  if (!column) throw createColumnError();
  return column;
}

function createColumnError(): FleetError {
  return new FleetError('notFound', vscode.l10n.t("This column doesn't exist."));
}

/** Converts a row, with its cells in their original order. */
export function shownRow(
  table: ResultTable,
  chunk: RowChunk,
  index: number,
  labels: ValueLabels,
): ResultRow {
  const cells: ValueCell[] = [];
  table.readRow(chunk, index, (column, element) => {
    const value = readDataValue(element);
    cells.push({
      column: columnId(column),
      kind: getCellKind(value),
      text: formatCell(value, labels),
    });
  });
  return { cells };
}
