import { ID_COLUMN, READINGS_COLUMNS } from '../../readingsSql';
import type { DataShape } from '../../../queryJob';
import { jsonSql, toScalar, type SqlField, type SqlFields } from './sqlField';

/** The documents after some stages, as a SELECT statement. */
export interface Selection {
  /** The SQL after FROM. */
  from: string;
  fields: SqlFields;
  where: readonly string[];
  order: readonly OrderKey[];
  limit: number | undefined;
  offset: number;
  /** Number of nested queries. Each level has different column names. */
  depth: number;
}

export interface OrderKey {
  sql: string;
  descending: boolean;
}

/** Returns a selection of all readings. */
export function allReadings(shape: DataShape, hasIds = false): Selection {
  const fields = Object.entries(READINGS_COLUMNS).map(
    ([name, type]) => [name, columnField(name, type, shape)] as const,
  );
  const id = { kind: 'scalar', type: 'number', sql: ID_COLUMN, absent: 'missing' } as const;
  const ids: [string, SqlField][] = hasIds ? [[ID_COLUMN, id]] : [];
  return createSelection('readings', new Map([...ids, ...fields]), 0);
}

/** Returns a selection from a query's result with the given fields. */
export function createSelection(from: string, fields: SqlFields, depth: number): Selection {
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

/** Returns the SELECT statement for a selection, with the given columns. */
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

/** Null and missing values are sorted first, as in MongoDB. */
export function orderSql({ sql, descending }: OrderKey): string {
  return `${sql} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
}

/**
 * Returns true if the selection has a limit or an offset. Later stages must then process only the
 * remaining documents.
 */
export function isCut({ limit, offset }: Selection): boolean {
  return limit !== undefined || offset > 0;
}

/** Returns a selection that contains the same documents as a nested query. */
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
  return { ...createSelection(`(${selectSql(selection, columns)})`, fields, depth), order };
}

/**
 * Returns the same fields, each of which reads the column that `column` creates for the field's
 * SQL.
 */
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

/**
 * Returns the SQL to group or sort by. Dates are converted to the precision that they have in
 * documents.
 */
export function keySql(field: SqlField | undefined): string | undefined {
  const scalar = toScalar(field);
  return scalar?.type === 'date' ? `date_trunc('millisecond', ${scalar.sql})` : scalar?.sql;
}
