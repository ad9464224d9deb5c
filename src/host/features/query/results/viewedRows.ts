import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import {
  formatCell,
  formatFullValue,
  getCellKind,
  type ValueLabels,
} from '../../../../core/data/tables/formatCell';
import type { CopiedColumn } from '../../../../core/data/tables/copyRows';
import { valueAt } from '../../../../core/data/tables/dataColumns';
import {
  type DataObject,
  type DataValue,
  isDataObject,
} from '../../../../core/data/tables/dataValue';
import type { QueryRun } from '../../../../core/query/queryRun';
import { documentAt } from '../../../../core/query/results/bson/bsonValue';
import type { RowChunk } from '../../../../core/query/results/rowStore';
import type {
  ChartRequest,
  ProfiledColumn,
  ResultCellRef,
  ResultChart,
  ResultNode,
  ResultView,
} from '../../../../shared/query/results';
import { columnIndex, columnsFrom, getColumn, rowsView } from './shownRows';
import { toDisplayText } from '../../../../core/model/displayText';
import { resultChart } from '../../../../core/query/results/chart/resultChart';

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
 * @throws FleetError `notFound` if there is no column with this ID.
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
