import { PAYLOAD, type QuerySchema, READINGS_TABLE } from '../../schema/querySchema';
import type { Hovered } from '../completion';
import { formatSignature, SQL_FUNCTIONS } from './sqlFunctions';
import { isSymbol, getTokenName, type SqlToken, sqlTokens } from './sqlTokens';

/**
 * Returns hover information at an offset: for the table, its columns, payload fields, and
 * functions.
 */
export function hoverSql(text: string, offset: number, schema: QuerySchema): Hovered | undefined {
  const tokens = sqlTokens(text).filter(({ kind }) => kind !== 'comment');
  const index = tokens.findIndex(({ start, end }) => start <= offset && offset < end);
  const token = tokens[index];
  const name = getTokenName(token);
  if (token === undefined || name === undefined) return undefined;
  const { start, end } = token;
  const plain = name.toLowerCase();
  if (isSymbol(tokens[index + 1], '(')) {
    const known = SQL_FUNCTIONS.find((one) => one.name === plain);
    return known && { kind: 'function', name: plain, start, end, detail: formatSignature(known) };
  }
  const path = pathTo(tokens, index);
  if (path !== undefined) {
    const field = schema.fields.find((one) => one.path.join('\0') === path.join('\0'));
    return (
      field && { kind: 'field', name: [PAYLOAD, ...path].join('.'), start, end, detail: field.type }
    );
  }
  const column = schema.columns.find((one) => one.name === plain);
  if (column) return { kind: 'column', name: plain, start, end, detail: column.sqlType };
  return plain === READINGS_TABLE ? { kind: 'table', name: plain, start, end } : undefined;
}

/**
 * Returns the path from the payload to the name at an offset; undefined if the name isn't part of a
 * path.
 */
function pathTo(tokens: readonly SqlToken[], index: number): readonly string[] | undefined {
  const names: string[] = [];
  let at = index;
  for (; isSymbol(tokens[at - 1], '.'); at -= 2) names.unshift(getTokenName(tokens[at]) ?? '');
  return getTokenName(tokens[at])?.toLowerCase() === PAYLOAD && at < index
    ? names
    : withoutTable(names);
}

/** Returns the path without its table: in `r.data.readings.speed`, `r` is the table. */
function withoutTable([first, ...rest]: readonly string[]): readonly string[] | undefined {
  return first?.toLowerCase() === PAYLOAD && rest.length > 0 ? rest : undefined;
}
