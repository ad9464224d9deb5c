import type { QuerySchema } from '../../schema/querySchema';
import { type Completion, type Completions, noCompletions } from '../completion';
import { isSymbol, isWord, getTokenName, type SqlToken } from './sqlTokens';

const PARTS = [
  ...['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  ...['millisecond', 'microsecond'],
];

/** Returns suggestions in a string: values that occur in a column, and parts of times. */
export function completeText(
  tokens: readonly SqlToken[],
  text: SqlToken,
  offset: number,
  schema: QuerySchema,
): Completions {
  // The cursor is after the end of the string.
  if (!text.text.startsWith("'") || (text.isClosed && offset === text.end))
    return noCompletions(offset);
  const before = tokens.filter(({ end, kind }) => end <= text.start && kind !== 'comment');
  const from = text.start + 1;
  if (isSymbol(before.at(-1), '(') && /^date_|^extract$/i.test(before.at(-2)?.text ?? ''))
    return { from, options: PARTS.map(value) };
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
