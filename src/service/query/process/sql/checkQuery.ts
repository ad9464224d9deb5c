import { invalidQuery, type JobError } from '../jobError';
import { createQueryError } from './queryPlace';
import { isNode, walkNodes, getNodeOffset, type SyntaxNode, getNodeText } from './selectStatement';

const READINGS = 'readings';

/** Kinds of nodes that represent a table in the syntax tree of a query. */
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
