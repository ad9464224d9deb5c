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
import { type EngineSource, openReadings } from '../engineSession';
import {
  checkQuery,
  getNodeList,
  getNodeText,
  isNode,
  parseSelect,
  type SyntaxNode,
} from './selectStatement';
import { queryError } from './queryErrors';
import {
  applyReplacements,
  type Replacement,
  toOriginalOffset,
  typedReferences,
} from './typedReferences';
import { createValueWriter, nullable } from '../bsonValues';
import { BsonWriter } from '../bsonWriter';
import { isMeaningful, isSymbol, sqlTokens } from '../../../../core/model/sqlTokens';

/**
 * Yields the rows from a SELECT over `readings` as BSON documents.
 * @throws JobError that quotes the invalid part of the query.
 */
export async function* runSql(
  { sql, readings, exactValues = false }: SqlJob,
  limits: JobLimits,
  engines: EngineSource,
): AsyncGenerator<Uint8Array, void> {
  using session = await openReadings(readings, limits, { engines });
  const { connection } = session;
  const statement = await parseSelect(connection, sql);
  checkQuery(sql, statement);
  const { typed: replacements, casts } = typedReferences(sql, statement, readings.shape);
  // Reads the names on a connection of its own, while the query runs.
  const parser = await session.connect();
  const restoring = restorer(parser, replacements);
  const naming = restoring.then(() => writtenColumns(parser, sql, statement));
  // If the query fails first, its error is thrown below.
  naming.catch(() => undefined);
  try {
    const prepared = await prepare(connection, sql, replacements);
    const result = await prepared.stream();
    const [restore, named] = await Promise.all([restoring, naming]);
    const names = named(result.columnNames().map(restore));
    yield* bsonRows(result, { names, exactValues });
  } catch (error) {
    throw queryError(error, {
      sql,
      toOriginal: (at) => {
        const { offset, replacement } = toOriginalOffset(at, replacements);
        return { offset, ...(replacement && { written: replacement.original }) };
      },
      restore: await restoring,
      casts,
    });
  } finally {
    await naming.catch(() => undefined);
    parser.closeSync();
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
  const assigned = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 1; assigned.has(unique); count += 1) {
      const candidate = `${name}_${String(count)}`;
      unique = taken.has(candidate) ? unique : candidate;
    }
    assigned.add(unique);
    return unique;
  });
}

/** Words that end the select list, unless the previous word makes them part of an expression. */
const ENDS = new Set([
  ...['FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'OFFSET', 'UNION', 'INTERSECT'],
  ...['EXCEPT', 'WINDOW', 'QUALIFY', 'USING', ';'],
]);
const PARTS_OF_EXPRESSIONS = new Set(['DISTINCT FROM', 'WITHIN GROUP']);

/**
 * Names result columns after the user's expressions, such as `count(*)` or `data.readings.n * 2`,
 * which DuckDB formats differently.
 * @returns a function that maps DuckDB's column names. It doesn't change column names and aliases
 *   that the query specifies.
 */
async function writtenColumns(
  connection: DuckDBConnection,
  sql: string,
  statement: SyntaxNode,
): Promise<(names: readonly string[]) => readonly string[]> {
  const items = getNodeList(isNode(statement.node) ? statement.node.select_list : undefined);
  const texts = selectedTexts(sql);
  const stars = items.filter(isStar).length;
  // Removes the quotes that DuckDB adds to names that are keywords.
  const unquoted = (name: string): string =>
    sql.includes('"data"') ? name : name.replaceAll('"data"', 'data');
  if (texts.length !== items.length || stars > 1) return (names) => names.map(unquoted);
  const written = await areWritten(connection, items, texts);
  const star = stars === 0 ? items.length : items.findIndex(isStar);
  return (names) => {
    const more = names.length - items.length;
    return names.map((name, column) => {
      const index = column > star + more ? column - more : Math.min(column, star);
      return written[index] === true ? (texts[index] ?? name) : unquoted(name);
    });
  };
}

/**
 * For each string, returns true if the string matches its item and the item is an expression
 * without an alias.
 */
async function areWritten(
  connection: DuckDBConnection,
  items: readonly SyntaxNode[],
  texts: readonly string[],
): Promise<boolean[]> {
  const reader = await connection.runAndReadAll(
    'SELECT json_serialize_sql(unnest($1))',
    [listValue(texts.map((text) => `SELECT ${text}`))],
    [LIST(VARCHAR)],
  );
  return reader.getRows().map(([json], index) => {
    const parsed: unknown = JSON.parse(String(json), omitQueryLocation);
    const [statement] = isNode(parsed) ? getNodeList(parsed.statements) : [];
    const alone = getNodeList(isNode(statement?.node) ? statement.node.select_list : undefined);
    const item = items[index];
    return (
      item !== undefined &&
      alone.length === 1 &&
      isExpression(item) &&
      JSON.stringify(item, omitQueryLocation) === JSON.stringify(alone[0])
    );
  });
}

function omitQueryLocation(key: string, value: unknown): unknown {
  return key === 'query_location' ? undefined : value;
}

function isExpression(item: SyntaxNode): boolean {
  return (
    getNodeText(item, 'alias') === '' &&
    !isStar(item) &&
    getNodeText(item, 'class') !== 'COLUMN_REF'
  );
}

/** Returns true if an item can expand to more than one column. */
function isStar(item: SyntaxNode): boolean {
  return JSON.stringify(item).includes('"class":"STAR"') || isUnnest(item);
}

function isUnnest(item: SyntaxNode): boolean {
  return getNodeText(item, 'function_name').toLowerCase() === 'unnest';
}

/**
 * Returns the text of each item in a query's first select list; empty if the items can't be
 * determined reliably.
 */
function selectedTexts(sql: string): string[] {
  const texts: string[] = [];
  let text: string | undefined;
  let before = '';
  let end = 0;
  for (const token of sqlTokens(sql).filter(isMeaningful)) {
    const word = token.text.toUpperCase();
    const isOutside = token.depth === 0;
    // Whitespace and comments between tokens become a single space.
    if (token.start > end) text &&= `${text} `;
    ({ end } = token);
    if (text === undefined) {
      text = isOutside && word === 'SELECT' ? '' : undefined;
    } else if (isOutside && ENDS.has(word) && !PARTS_OF_EXPRESSIONS.has(`${before} ${word}`)) {
      break;
    } else if (isOutside && isSymbol(token, ',')) {
      texts.push(text);
      text = '';
    } else if (texts.length > 0 || text !== '' || !/^(?:DISTINCT|ALL)$/.test(word)) {
      text += token.text;
    }
    before = word;
  }
  return [...texts, text ?? ''].map(plain).filter((item) => item !== '');
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
