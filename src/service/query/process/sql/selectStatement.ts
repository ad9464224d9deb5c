import type { DuckDBConnection } from '@duckdb/node-api';
import { isRecord } from '../../../../base/isRecord';
import { isMeaningful, sqlTokens } from '../../../../core/model/sqlTokens';
import { invalidQuery, type JobError } from '../jobError';
import { createQueryError, toShortMessage } from './queryErrors';

/** Node in the syntax tree that DuckDB's parser creates. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

const MAX_QUERY_BYTES = 256 * 1024;

interface Parsed {
  error: boolean;
  error_type?: string;
  error_message?: string;
  position?: string;
  statements?: readonly SyntaxNode[];
}

/**
 * Parses a query with DuckDB's parser.
 * @throws InvalidArgument unless the query is a single read-only statement.
 */
export async function parseSelect(connection: DuckDBConnection, sql: string): Promise<SyntaxNode> {
  if (Buffer.byteLength(sql) > MAX_QUERY_BYTES) {
    throw invalidQuery(`the query is longer than ${String(MAX_QUERY_BYTES / 1024)} KiB`);
  }
  const parsed = await parse(connection, sql);
  if (parsed.error) {
    // The parser returns this error type for all statements other than SELECT.
    if (parsed.error_type === 'not implemented') {
      throw invalidQuery(
        'the query must be a SELECT statement: no other statements are supported',
        {
          location: wordAtStart(sql),
        },
      );
    }
    const offset = Number(parsed.position);
    const message =
      (await explainAlias(connection, sql, offset)) ??
      toShortMessage(parsed.error_message ?? "the query can't be parsed");
    throw createQueryError({ message, sql, offset });
  }
  const [statement, ...more] = parsed.statements ?? [];
  if (statement === undefined || more.length > 0) {
    throw invalidQuery(
      `the query must be one SELECT statement, but it has ${String(more.length + (statement ? 1 : 0))}`,
    );
  }
  return statement;
}

async function parse(connection: DuckDBConnection, sql: string): Promise<Parsed> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  return JSON.parse(String(reader.getRows()[0]?.[0])) as Parsed;
}

/**
 * Explains a syntax error caused by a missing AS. DuckDB rejects keywords such as `temp` and
 * `value` as aliases without AS, but reports only a syntax error.
 * @param offset byte offset of the error.
 * @returns an explanation if adding AS at the offset would fix the error.
 */
async function explainAlias(
  connection: DuckDBConnection,
  sql: string,
  offset: number,
): Promise<string | undefined> {
  const bytes = Buffer.from(sql);
  const word = /^[a-z_]+/i.exec(bytes.subarray(offset).toString('latin1'))?.[0];
  if (!Number.isInteger(offset) || word === undefined) return undefined;
  const [before, after] = [bytes.subarray(0, offset), bytes.subarray(offset)];
  const fixed = await parse(connection, `${before.toString()}AS ${after.toString()}`);
  // Another error can follow, for example at the next alias without AS.
  const isFixed = !fixed.error || Number(fixed.position) > offset + `AS ${word}`.length;
  return isFixed ? `"${word}" is a keyword: to use it as an alias, write AS ${word}` : undefined;
}

/** Returns the range of the first word after spaces and comments. */
function wordAtStart(sql: string): { start: number; end: number } {
  const first = sqlTokens(sql).find(isMeaningful);
  const { start, end } = first ?? { start: sql.length, end: sql.length };
  return { start, end: first?.kind === 'word' ? end : start };
}

/** Yields all nodes in a tree in preorder. */
export function* walkNodes(root: SyntaxNode): Generator<SyntaxNode> {
  // Not recursive, because the nesting depth depends on the query.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) {
      open.push(...(next as unknown[]));
    } else if (isNode(next)) {
      yield next;
      open.push(...Object.values(next));
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return isRecord(value);
}

/** Returns the nodes in a list; empty if the value isn't a list. */
export function getNodeList(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns a string property of a node; an empty string if the node doesn't have the property. */
export function getNodeText(node: SyntaxNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Returns a node's position as a byte offset in the query; undefined if the parser doesn't provide
 * the position.
 */
export function getNodeOffset(node: SyntaxNode): number | undefined {
  const offset = node.query_location;
  return typeof offset === 'number' && offset <= MAX_QUERY_BYTES ? offset : undefined;
}

const READINGS = 'readings';

/** Kinds of nodes that represent a table in a query's syntax tree. */
const TABLE_KINDS = new Set([
  ...['BASE_TABLE', 'TABLE_FUNCTION', 'SHOW_REF', 'EMPTY', 'EXPRESSION_LIST', 'JOIN', 'SUBQUERY'],
  'PIVOT',
]);

const TABLE_FUNCTIONS = new Set([
  ...['range', 'generate_series', 'unnest', 'repeat', 'json_each', 'json_tree'],
]);

/**
 * Names that a query can use for its own tables. Excludes the names of DuckDB's tables and views
 * with information about the database, and names with a dot or slash, which DuckDB treats as files.
 */
const OWN_TABLE = /^(?!(?:sqlite|duckdb|pragma|pg)_)[\p{L}_][\p{L}\p{N}_]*$/iu;

/** Functions that reveal information about the database, wait, or run SQL that was not checked. */
const FORBIDDEN_FUNCTIONS = new Set([
  ...['current_setting', 'getvariable', 'current_query', 'json_serialize_plan', 'stats'],
  ...['json_execute_serialized_sql', 'json_deserialize_sql', 'json_serialize_sql'],
  ...['sleep_ms', 'write_log', 'parse_duckdb_log_message', 'nextval', 'currval', 'setseed'],
  ...['get_block_size', 'in_search_path', 'create_sort_key', 'query', 'query_table'],
]);
const FORBIDDEN_FAMILIES =
  /^(?:pg_(?!typeof$|size_pretty$)|has_|inet_|duckdb_|pragma_|__internal_|(?:col|obj|shobj)_desc)/;

/**
 * Verifies that a query uses only the table `readings`, and only functions without side effects or
 * access to other data. DuckDB's own restrictions are a second line of defense, but they don't
 * protect information about the installation.
 * @throws InvalidArgument
 */
export function checkQuery(sql: string, statement: SyntaxNode): void {
  const ownTables = new Set<string>();
  for (const node of walkNodes(statement)) {
    const { map } = isNode(node.cte_map) ? node.cte_map : {};
    for (const entry of Array.isArray(map) ? (map as unknown[]) : []) {
      ownTables.add(isNode(entry) ? getNodeText(entry, 'key').toLowerCase() : '');
    }
  }
  for (const name of ownTables) {
    if (!OWN_TABLE.test(name)) {
      throw invalidQuery(`"${name}" cannot be the name of a table in WITH: use letters and digits`);
    }
  }
  for (const node of walkNodes(statement)) {
    checkNode(sql, node, ownTables);
  }
}

function checkNode(sql: string, node: SyntaxNode, ownTables: ReadonlySet<string>): void {
  const createError = (message: string): JobError =>
    createQueryError({ message, sql, offset: getNodeOffset(node) });
  switch (getNodeText(node, 'type')) {
    case 'BASE_TABLE': {
      const name = getTableName(node);
      if (!isReadings(node) && !ownTables.has(name.toLowerCase())) {
        throw createError(`unknown table "${name}": readings are in the table "readings"`);
      }
      break;
    }
    case 'TABLE_FUNCTION': {
      const name = isNode(node.function) ? getNodeText(node.function, 'function_name') : '';
      if (!TABLE_FUNCTIONS.has(name.toLowerCase())) {
        throw createError(`"${name}" is not available: readings are in the table readings`);
      }
      break;
    }
    case 'SHOW_REF':
      if (!isNode(node.query) && getNodeText(node, 'table_name') !== '"tables"') {
        throw createError('use DESCRIBE readings: it is the only supported form');
      }
      break;
    case 'VALUE_PARAMETER':
      throw createError('the query has a parameter, but no parameter values were given');
  }
  const from = node.from_table;
  if (isNode(from) && !TABLE_KINDS.has(getNodeText(from, 'type'))) {
    throw createError('the query reads from something that is not a table');
  }
  const called = getNodeText(node, 'function_name').toLowerCase();
  if (FORBIDDEN_FUNCTIONS.has(called) || FORBIDDEN_FAMILIES.test(called)) {
    throw createError(`the function ${called} is not available in queries`);
  }
}

function isReadings(node: SyntaxNode): boolean {
  const within = [getNodeText(node, 'catalog_name'), getNodeText(node, 'schema_name')].join('.');
  return (
    getNodeText(node, 'table_name').toLowerCase() === READINGS &&
    ['.', '.main', 'memory.main', '.memory'].includes(within.toLowerCase())
  );
}

/**
 * Returns a table's name, qualified if it is qualified in the query. Only an unqualified name can
 * refer to a table that the query defines.
 */
function getTableName(node: SyntaxNode): string {
  return ['catalog_name', 'schema_name', 'table_name']
    .map((part) => getNodeText(node, part))
    .filter((part) => part !== '')
    .join('.');
}
