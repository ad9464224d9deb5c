import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { JobLimits } from '../../jobMessages';
import type { SqlJob } from '../../queryJob';
import { bsonRows } from '../bsonRows';
import { openReadings } from '../readingsSession';
import { checkQuery } from './checkQuery';
import { queryError, type UserText } from './queryErrors';
import { parseSelect } from './selectStatement';
import { originalPlace, type Replacement, replaceIn, typedReferences } from './typedReferences';
import { writtenColumns } from './writtenColumns';

/**
 * Answers a row of a SELECT over `readings` after the other, as BSON documents.
 * @throws JobError that quotes the query where it is at fault.
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
  const text: UserText = {
    sql,
    placeOf: (at) => {
      const { place, replacement } = originalPlace(at, replacements);
      return { place, ...(replacement && { written: replacement.original }) };
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

/** Where the typed form does not fit, as with a `data` that the query made, the text is as written. */
async function prepare(
  connection: DuckDBConnection,
  sql: string,
  replacements: readonly Replacement[],
): Promise<DuckDBPreparedStatement> {
  if (replacements.length === 0) {
    return connection.prepare(sql);
  }
  try {
    return await connection.prepare(replaceIn(sql, replacements));
  } catch (error) {
    // What is said of the typed form is nearer to what the user means than what is said of JSON.
    return connection.prepare(sql).catch(() => {
      throw error;
    });
  }
}

/** Names of columns and messages hold expressions as DuckDB writes them: puts the user's in place. */
async function restorer(
  connection: DuckDBConnection,
  replacements: readonly Replacement[],
): Promise<(text: string) => string> {
  if (replacements.length === 0) {
    return (text) => text;
  }
  const expressions = replacements.map(({ expression }) => `SELECT ${expression}`);
  const reader = await connection.runAndReadAll(
    'SELECT json_deserialize_sql(json_serialize_sql(unnest($1)))',
    [listValue(expressions)],
    [LIST(VARCHAR)],
  );
  const written = reader.getRows().flatMap(([text], index) => {
    const from = String(text).slice('SELECT '.length);
    const to = replacements[index]?.original ?? '';
    // Once it is bound, it writes the names of types in quotes.
    return [from, from.replace(/ AS (\w+)\)$/, ' AS "$1")')].map((form) => ({ from: form, to }));
  });
  // The longer first: it may hold a shorter one.
  written.sort((a, b) => b.from.length - a.from.length);
  return (text) => written.reduce((restored, { from, to }) => restored.replaceAll(from, to), text);
}
