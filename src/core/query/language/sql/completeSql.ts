import {
  PAYLOAD,
  type QuerySchema,
  READINGS_TABLE,
  type SchemaField,
  fieldsWithin,
  spellPath,
} from '../../schema/querySchema';
import { type Completion, type Completions, noCompletions } from '../languageFeatures';
import { readChain, readNames } from './sqlNames';
import { formatSignature, KEYWORDS, SQL_FUNCTIONS, TYPES, UNITS } from './sqlWords';
import { getTokenName, isSymbol, isWord, type SqlToken, sqlTokens } from '../../../model/sqlTokens';

const PARTS = [
  ...['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  ...['millisecond', 'microsecond'],
];

/**
 * Returns suggestions in a string: values that occur in a column, and names of date and time parts.
 */
function completeText(
  tokens: readonly SqlToken[],
  text: SqlToken,
  offset: number,
  schema: QuerySchema,
): Completions {
  // The cursor is after the end of the string.
  if (!text.text.startsWith("'") || (text.isClosed && offset === text.end)) {
    return noCompletions(offset);
  }
  const before = tokens.filter(({ end, kind }) => end <= text.start && kind !== 'comment');
  const from = text.start + 1;
  if (isSymbol(before.at(-1), '(') && /^date_|^extract$/i.test(before.at(-2)?.text ?? '')) {
    return { from, options: PARTS.map(value) };
  }
  const column = columnBefore(before);
  const known = column === undefined ? undefined : schema.values.get(column.toLowerCase());
  return { from, options: (known ?? []).map(value) };
}

/** Returns the column that a string is compared with. */
function columnBefore(before: readonly SqlToken[]): string | undefined {
  let at = before.length - 1;
  if (isSymbol(before[at], '(', ',')) {
    at = before.findLastIndex((token) => isWord(token, 'IN'));
    return getTokenName(before[isWord(before[at - 1], 'NOT') ? at - 2 : at - 1]);
  }
  if (isWord(before[at], 'LIKE', 'ILIKE')) at -= isWord(before[at - 1], 'NOT') ? 2 : 1;
  else if (isSymbol(before[at], '=', '<>', '!=', '==')) at -= 1;
  else return undefined;
  return getTokenName(before[at]);
}

function value(name: string): Completion {
  return { label: name, kind: 'value', insert: name.replaceAll("'", "''") };
}

/** Returns suggestions at an offset in an SQL query: names, functions, and keywords. */
export function completeSql(text: string, offset: number, schema: QuerySchema): Completions {
  const all = sqlTokens(text);
  const at = all.find(({ start, end }) => start < offset && offset <= end);
  if (at?.kind === 'text') return completeText(all, at, offset, schema);
  if (at?.kind === 'comment' || at?.kind === 'number') return noCompletions(offset);
  if (at?.kind === 'parameter') return completeParameter(all, at);
  const isName = at?.kind === 'word' || at?.kind === 'quotedName';
  const from = isName ? at.start : offset;
  const before = all.filter(({ end, kind }) => end <= from && kind !== 'comment');
  const last = before.at(-1);
  if (isSymbol(last, '.')) return { from, options: membersAt(before, schema) };
  if (isSymbol(last, '::') || (isWord(last, 'AS') && isInCast(before))) {
    return { from, options: TYPES.map(toKeyword) };
  }
  if (last?.kind === 'number' && isWord(before.at(-2), 'INTERVAL')) {
    return { from, options: UNITS.map(toKeyword) };
  }
  const tables = listTables(all);
  if (isWord(last, 'FROM', 'JOIN')) return { from, options: [...tables, toKeyword('SELECT')] };
  return { from, options: [...columns(schema), ...tables, ...listAliases(all, at), ...GENERAL] };
}

const GENERAL: readonly Completion[] = [
  ...KEYWORDS.map(toKeyword),
  ...SQL_FUNCTIONS.map((known): Completion => {
    const call = known.takes === '' ? `${known.name}()$0` : `${known.name}($0)`;
    return {
      label: known.name,
      kind: 'function',
      detail: formatSignature(known),
      insert: call,
      isSnippet: true,
    };
  }),
];

function toKeyword(label: string): Completion {
  return { label, kind: 'keyword' };
}

function columns({ columns: known }: QuerySchema): Completion[] {
  return known.map(({ name, sqlType }) => ({ label: name, kind: 'column', detail: sqlType }));
}

/** Returns the table of readings and the tables that WITH defines. */
function listTables(tokens: readonly SqlToken[]): Completion[] {
  const named = tokens.flatMap((token, index) => {
    const isNamed = isWord(tokens[index + 1], 'AS') && isSymbol(tokens[index + 2], '(');
    const name = isNamed ? getTokenName(token) : undefined;
    return name === undefined || isWord(token, 'OVER') ? [] : [name];
  });
  return [READINGS_TABLE, ...new Set(named)].map((label) => ({ label, kind: 'table' }));
}

/** Returns the names that the query defines, except the name that the user is typing. */
function listAliases(tokens: readonly SqlToken[], typed: SqlToken | undefined): Completion[] {
  const names = readNames(tokens.filter((token) => token !== typed));
  return [...names.definedNames].map((label) => ({ label, kind: 'column' }));
}

function completeParameter(tokens: readonly SqlToken[], typed: SqlToken): Completions {
  const others = tokens
    .filter(({ kind }) => kind === 'parameter')
    .filter((token) => token !== typed);
  const names = new Set(others.map(({ text }) => text));
  return { from: typed.start, options: [...names].map((label) => ({ label, kind: 'parameter' })) };
}

/** Returns the members of the name that precedes a dot. */
function membersAt(before: readonly SqlToken[], schema: QuerySchema): Completion[] {
  let first = before.length - 1;
  while (isSymbol(before[first], '.') && getTokenName(before[first - 1]) !== undefined) first -= 2;
  const names = readChain(before.slice(first + 1, -1), 0).map(({ name }) => name);
  const index = names.findIndex((name) => name.toLowerCase() === PAYLOAD);
  if (index === -1) return names.length === 1 ? columns(schema) : [];
  return fieldsWithin(schema, names.slice(index + 1)).map(fieldCompletion);
}

function fieldCompletion({ path, type }: SchemaField): Completion {
  const label = path.at(-1) ?? '';
  const insert = spellPath([label]);
  return { label, kind: 'field', detail: type, ...(insert !== label && { insert }) };
}

/** Returns true if a type is expected, because the innermost open parenthesis belongs to a CAST. */
function isInCast(before: readonly SqlToken[]): boolean {
  const depth = before.at(-1)?.depth ?? 0;
  const open = before.findLastIndex((token) => token.depth < depth);
  return isSymbol(before[open], '(') && isWord(before[open - 1], 'CAST', 'TRY_CAST');
}
