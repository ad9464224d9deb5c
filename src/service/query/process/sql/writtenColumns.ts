import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import { isMeaningful, isSymbol, sqlTokens } from '../../../../core/model/sqlTokens';
import { getNodeList, getNodeText, isNode, type SyntaxNode } from './selectStatement';

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
export async function writtenColumns(
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
