import { ID_COLUMN, READINGS_COLUMNS } from '../../readingsView';
import type { DataShape } from '../../../readingsFiles';
import { jsonSql, scalarOf, type SqlField, type SqlFields } from './sqlField';

/** The documents after some stages, as one SELECT. */
export interface Selection {
  /** What follows FROM. */
  from: string;
  fields: SqlFields;
  where: readonly string[];
  order: readonly OrderKey[];
  limit: number | undefined;
  offset: number;
  /** How many queries are within it: names of columns differ from one to the next. */
  depth: number;
}

export interface OrderKey {
  sql: string;
  descending: boolean;
}

/** All readings. */
export function allReadings(shape: DataShape, hasIds = false): Selection {
  const fields = Object.entries(READINGS_COLUMNS).map(
    ([name, type]) => [name, columnField(name, type, shape)] as const,
  );
  const id = { kind: 'scalar', type: 'number', sql: ID_COLUMN, absent: 'missing' } as const;
  const ids: [string, SqlField][] = hasIds ? [[ID_COLUMN, id]] : [];
  return selectionOf('readings', new Map([...ids, ...fields]), 0);
}

/** What comes of a query, with these fields. */
export function selectionOf(from: string, fields: SqlFields, depth: number): Selection {
  return { from, fields, where: [], order: [], limit: undefined, offset: 0, depth };
}

function columnField(name: string, type: string, shape: DataShape): SqlField {
  switch (type) {
    case 'TIMESTAMP':
      return { kind: 'scalar', type: 'date', sql: name, absent: 'missing' };
    case 'VARCHAR[]':
      return { kind: 'texts', sql: name };
    case 'JSON':
      return {
        kind: 'json',
        column: name,
        path: [],
        shape: name === 'data' ? shape : 'JSON',
        absent: 'missing',
      };
    default:
      return { kind: 'scalar', type: 'text', sql: name, absent: 'missing' };
  }
}

/** The text of the SELECT with these columns. */
export function selectSql(
  { from, where, order, limit, offset }: Selection,
  columns: readonly string[],
): string {
  return [
    `SELECT ${columns.length === 0 ? '1' : columns.join(', ')} FROM ${from}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.map((part) => `(${part})`).join(' AND ')}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.map(orderSql).join(', ')}`]),
    ...(limit === undefined ? [] : [`LIMIT ${String(limit)}`]),
    ...(offset === 0 ? [] : [`OFFSET ${String(offset)}`]),
  ].join(' ');
}

/** Null and missing are before everything, as in MongoDB. */
export function orderSql({ sql, descending }: OrderKey): string {
  return `${sql} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
}

/** Whether some documents are cut off, so that what comes next must see the rest alone. */
export function isCut({ limit, offset }: Selection): boolean {
  return limit !== undefined || offset > 0;
}

/** The same documents as a query within a query. */
export function nested(selection: Selection): Selection {
  const columns: string[] = [];
  const depth = selection.depth + 1;
  const column = (sql: string): string => {
    const name = `c${String(depth)}_${String(columns.length)}`;
    columns.push(`${sql} AS ${name}`);
    return name;
  };
  const fields = movedFields(selection.fields, column);
  const order = selection.order.map((key) => ({ ...key, sql: column(key.sql) }));
  return { ...selectionOf(`(${selectSql(selection, columns)})`, fields, depth), order };
}

/** The same fields, each read from the column that `column` makes of its SQL. */
export function movedFields(fields: SqlFields, column: (sql: string) => string): SqlFields {
  const move = (field: SqlField): SqlField => {
    switch (field.kind) {
      case 'scalar':
        return { ...field, sql: column(field.sql), ...existsColumn(field.exists, column) };
      case 'json':
        return { ...field, column: column(jsonSql(field)), path: [] };
      case 'texts':
        return { ...field, sql: column(field.sql) };
      case 'document':
        return { ...field, fields: movedFields(field.fields, column) };
      case 'constant':
        return field;
    }
  };
  return new Map([...fields].map(([name, field]) => [name, move(field)]));
}

function existsColumn(
  exists: string | undefined,
  column: (sql: string) => string,
): { exists?: string } {
  return exists === undefined ? {} : { exists: column(exists) };
}

/** What to group or order by: a date no finer than the documents have it. */
export function keySql(field: SqlField | undefined): string | undefined {
  const scalar = scalarOf(field);
  return scalar?.type === 'date' ? `date_trunc('millisecond', ${scalar.sql})` : scalar?.sql;
}
