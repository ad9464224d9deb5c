import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { formatCell, getCellKind, type ValueLabels } from '../../../../core/data/tables/formatCell';
import type { DataColumn } from '../../../../core/data/tables/dataColumns';
import { toDisplayText } from '../../../../core/model/displayText';
import type { QueryRun } from '../../../../core/query/queryRun';
import { readDataValue } from '../../../../core/query/results/bson/bsonValue';
import { describeColumnType } from '../../../../core/query/results/rowColumns';
import type { ResultTable } from '../../../../core/query/results/resultTable';
import type { RowsView } from '../../../../core/query/results/resultViews';
import type { RowChunk } from '../../../../core/query/results/rowStore';
import type { ResultRow, ResultView } from '../../../../shared/query/results';
import type { ValueCell, ValueColumn } from '../../../../shared/tables';

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

/** @throws `notFound` if there is no column with this ID. */
export function columnIndex({ columns }: ResultTable, id: string): number {
  const index = /^c\d+$/.test(id) ? Number(id.slice(1)) : -1;
  if (columns[index] === undefined) throw createColumnError();
  return index;
}

/** @throws `notFound` if there is no column with this ID. */
export function getColumn(table: ResultTable, id: string): DataColumn {
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
