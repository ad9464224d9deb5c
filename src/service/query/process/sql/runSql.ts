import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { JobLimits } from '../../jobMessages';
import type { SqlJob } from '../../queryJob';
import { openReadings } from '../engineSession';
import { checkQuery, parseSelect } from './selectStatement';
import { queryError, type UserQuery } from './queryErrors';
import {
  applyReplacements,
  type Replacement,
  toOriginalOffset,
  typedReferences,
} from './typedReferences';
import { writtenColumns } from './writtenColumns';
import { createValueWriter, nullable } from '../bsonValues';
import { BsonWriter } from '../bsonWriter';

/**
 * Yields the rows from a SELECT over `readings` as BSON documents.
 * @throws JobError that quotes the invalid part of the query.
 */
export async function* runSql(
  { sql, readings, exactValues = false }: SqlJob,
  limits: JobLimits,
): AsyncGenerator<Uint8Array, void> {
  using session = await openReadings(readings, limits);
  const { connection } = session;
  const statement = await parseSelect(connection, sql);
  checkQuery(sql, statement);
  const { typed: replacements, casts } = typedReferences(sql, statement, readings.shape);
  const text: UserQuery = {
    sql,
    toOriginal: (at) => {
      const { offset, replacement } = toOriginalOffset(at, replacements);
      return { offset, ...(replacement && { written: replacement.original }) };
    },
    restore: await restorer(connection, replacements),
    casts,
  };
  const named = await writtenColumns(connection, sql, statement);
  try {
    const prepared = await prepare(connection, sql, replacements);
    const result = await prepared.stream();
    const names = named(result.columnNames().map(text.restore));
    yield* bsonRows(result, { names, exactValues });
  } catch (error) {
    throw queryError(error, text);
  }
}

/**
 * Prepares the query's typed form. If it is invalid, for example because the query defines its own
 * `data`, prepares the original text.
 */
async function prepare(
  connection: DuckDBConnection,
  sql: string,
  replacements: readonly Replacement[],
): Promise<DuckDBPreparedStatement> {
  if (replacements.length === 0) return connection.prepare(sql);
  try {
    return await connection.prepare(applyReplacements(sql, replacements));
  } catch (error) {
    // Errors about the typed form match the user's intent better than errors about JSON.
    return connection.prepare(sql).catch(() => {
      throw error;
    });
  }
}

/**
 * Returns a function that restores the user's expressions. This is necessary because DuckDB
 * reformats expressions in column names and messages.
 */
async function restorer(
  connection: DuckDBConnection,
  replacements: readonly Replacement[],
): Promise<(text: string) => string> {
  if (replacements.length === 0) return (text) => text;
  const expressions = replacements.map(({ expression }) => `SELECT ${expression}`);
  const reader = await connection.runAndReadAll(
    'SELECT json_deserialize_sql(json_serialize_sql(unnest($1)))',
    [listValue(expressions)],
    [LIST(VARCHAR)],
  );
  const written = reader.getRows().flatMap(([text], index) => {
    const from = String(text).slice('SELECT '.length);
    const to = replacements[index]?.original ?? '';
    // After binding, DuckDB puts the names of types in quotes.
    return [from, from.replace(/ AS (\w+)\)$/, ' AS "$1")')].map((form) => ({ from: form, to }));
  });
  // Longer expressions are first, because they can contain shorter expressions.
  written.sort((a, b) => b.from.length - a.from.length);
  return (text) => written.reduce((restored, { from, to }) => restored.replaceAll(from, to), text);
}

/**
 * Encodes a result's rows as BSON documents, one chunk of rows at a time. Each yielded value
 * contains concatenated documents.
 * @param options.names column names. A second column with the same name is renamed to `name_1` so
 *   that no value is lost.
 * @param options.exactValues as in a `SqlJob`.
 */
async function* bsonRows(
  result: DuckDBResult,
  {
    names = result.columnNames(),
    exactValues = false,
  }: { names?: readonly string[]; exactValues?: boolean } = {},
): AsyncGenerator<Uint8Array, void> {
  const keys = uniqueNames(names);
  const writers = result
    .columnTypes()
    .map((type) => nullable(createValueWriter(type, exactValues)));
  const out = new BsonWriter();
  for await (const chunk of result) {
    const vectors = keys.map((_, index) => chunk.getColumnVector(index));
    for (let row = 0; row < chunk.rowCount; row += 1) {
      out.document(() => {
        for (let index = 0; index < keys.length; index += 1) {
          writers[index]?.(out, keys[index] ?? '', vectors[index]?.getItem(row) ?? null);
        }
      });
      if (out.isFull) yield out.take();
    }
  }
  if (out.byteLength > 0) yield out.take();
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const given = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 1; given.has(unique); count += 1) {
      const candidate = `${name}_${String(count)}`;
      unique = taken.has(candidate) ? unique : candidate;
    }
    given.add(unique);
    return unique;
  });
}
