import { isSymbol, isWord, nameOf, type SqlToken } from './sqlTokens';
import { OWN_WORDS } from './sqlWords';

/** All that a query itself gives names to, in small letters: columns, tables, windows, what functions take. */
export function givenNames(tokens: readonly SqlToken[]): ReadonlySet<string> {
  const names = tokens.flatMap((token, index) => {
    const name = nameOf(token);
    return name !== undefined && isGiven(tokens, index) ? [name.toLowerCase()] : [];
  });
  return new Set(names);
}

function isGiven(tokens: readonly SqlToken[], index: number): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isSymbol(before, '.')) return false;
  if (isWord(before, 'AS', 'WITH', 'RECURSIVE', 'WINDOW', 'OVER', 'LAMBDA')) return true;
  if (isWord(after, 'AS') && isSymbol(tokens[index + 2], '(')) return true;
  if (isSymbol(after, '->', ':=', '=>', ':')) return true;
  if (isListOfGiven(tokens, index)) return true;
  return isAfterValue(before) && !isOwnWord(tokens[index]);
}

/** Such as the names in `(a, b) -> a + b`, `lambda a, b: a`, `AS t(a, b)` and `WITH t(a, b) AS`. */
function isListOfGiven(tokens: readonly SqlToken[], index: number): boolean {
  let open = index - 1;
  while (isSymbol(tokens[open], ',') || nameOf(tokens[open]) !== undefined) open -= 1;
  if (isWord(tokens[open + 1], 'LAMBDA')) return true;
  let close = index + 1;
  while (isSymbol(tokens[close], ',') || nameOf(tokens[close]) !== undefined) close += 1;
  if (!isSymbol(tokens[open], '(') || !isSymbol(tokens[close], ')')) return false;
  const isAlias = isWord(tokens[open - 2], 'AS', 'WITH', 'RECURSIVE');
  return isAlias || isSymbol(tokens[close + 1], '->') || isWord(tokens[close + 1], 'AS');
}

/** Whether a name at a place means a column, or a table that one is of. */
export function isReference(tokens: readonly SqlToken[], index: number): boolean {
  const [token, before, after] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  if (nameOf(token) === undefined || isOwnWord(token)) return false;
  if (isSymbol(before, '.', '::') || isWord(before, 'AS', 'OVER', 'COLLATE')) return false;
  if (isSymbol(after, '(', ':=', '=>', ':') || after?.kind === 'text') return false;
  // Of a date, as in extract(year FROM …).
  if (isWord(after, 'FROM') && isSymbol(before, '(')) return false;
  return !isAfterValue(before);
}

function isOwnWord(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && OWN_WORDS.has(token.text.toUpperCase());
}

/** Whether a value ends there: the name after it is given to it. */
function isAfterValue(token: SqlToken | undefined): boolean {
  switch (token?.kind) {
    case 'word':
      return !isOwnWord(token) || isWord(token, 'END', 'NULL', 'TRUE', 'FALSE');
    case 'symbol':
      return isSymbol(token, ')', ']', '}');
    case undefined:
    case 'comment':
      return false;
    default:
      return true;
  }
}
