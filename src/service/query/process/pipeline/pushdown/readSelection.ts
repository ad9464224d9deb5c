import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { engineFailure } from '../../jobError';
import { withOnly } from '../stages/projectStage';
import type { Document } from '../document';
import { selectSql, type Selection } from './selection';
import { jsonSql, type SqlField, type SqlFields, type SqlJson, type SqlScalar } from './sqlField';

/**
 * Yields the documents of a selection in chunks, with backpressure.
 * @throws JobError ResourceExhausted if the selection uses too much memory.
 */
export async function* readSelection(
  connection: DuckDBConnection,
  selection: Selection,
): AsyncGenerator<readonly Document[], void> {
  const columns: string[] = [];
  const read = documentReader(selection.fields, (sql) => columns.push(sql) - 1);
  try {
    const result = await connection.stream(selectSql(selection, columns));
    for await (const chunk of result) {
      yield readDocuments(chunk, read);
    }
  } catch (error) {
    // Without the conversion, the consuming stage would treat the error as its own.
    throw engineFailure(error);
  }
}

function readDocuments(chunk: DuckDBDataChunk, read: Reader<Document>): Document[] {
  const columns = chunk.getColumns();
  return Array.from({ length: chunk.rowCount }, (_, row) => read(columns, row));
}

type Columns = readonly (readonly unknown[])[];
type Reader<Value> = (columns: Columns, row: number) => Value;
/** Adds a column to the query and returns its index. */
type AddColumn = (sql: string) => number;

function documentReader(fields: SqlFields, add: AddColumn): Reader<Document> {
  const readers = [...fields].map(([name, field]) => [name, fieldReader(field, add)] as const);
  return (columns, row) => {
    const document: Document = {};
    for (const [name, read] of readers) {
      const value = read(columns, row);
      if (value !== undefined) document[name] = value;
    }
    return document;
  };
}

function fieldReader(field: SqlField, add: AddColumn): Reader<unknown> {
  switch (field.kind) {
    case 'scalar':
      return scalarReader(field, add);
    case 'json':
      return jsonReader(field, add);
    case 'texts':
      return parsed(add(`CAST(to_json(${field.sql}) AS VARCHAR)`), (value) => value, undefined);
    case 'constant':
      return () => field.value;
    case 'document':
      return documentReader(field.fields, add);
  }
}

function scalarReader({ type, sql, absent, exists }: SqlScalar, add: AddColumn): Reader<unknown> {
  const index = add(outputSql(type, sql));
  const presence = exists === undefined ? undefined : add(exists);
  const emptyValue = absent === 'null' ? null : undefined;
  return (columns, row) => {
    const value = columns[index]?.[row] ?? undefined;
    if (value === undefined) {
      return presence !== undefined && columns[presence]?.[row] === true ? null : emptyValue;
    }
    return type === 'date' ? new Date(Math.floor(Number(value))) : value;
  };
}

/** Converts a value to a type that is returned as a JavaScript number, string, or boolean. */
function outputSql(type: SqlScalar['type'], sql: string): string {
  switch (type) {
    case 'number':
      return `CAST(${sql} AS DOUBLE)`;
    case 'date':
      // `epoch_ms` can't be used, because it rounds up before 1970.
      return `CAST(epoch_us(${sql}) AS DOUBLE) / 1000`;
    default:
      return sql;
  }
}

function jsonReader(field: SqlJson, add: AddColumn): Reader<unknown> {
  const index = add(`CAST(${jsonSql(field)} AS VARCHAR)`);
  const { picked, absent } = field;
  const tree = picked && new Map([['value', picked]]);
  return parsed(
    index,
    (value) => (tree === undefined ? value : withOnly(tree, { value }, () => undefined).value),
    absent === 'null' ? null : undefined,
  );
}

function parsed(
  index: number,
  change: (value: unknown) => unknown,
  emptyValue: null | undefined,
): Reader<unknown> {
  return (columns, row) => {
    const text = columns[index]?.[row];
    return typeof text === 'string' ? change(JSON.parse(text)) : emptyValue;
  };
}
