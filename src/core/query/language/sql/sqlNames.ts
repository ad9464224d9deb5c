import { isSymbol, isWord, nameOf, type SqlToken } from './sqlTokens';
import { OWN_WORDS } from './sqlWords';

/** All that a query itself gives names to, in small letters: columns, tables, windows, what functions take. */
export function givenNames(tokens: readonly SqlToken[]): ReadonlySet<string> {
  const names = tokens.flatMap((token, index) => {
    if (isSymbol(token, '(')) return listedNames(tokens, index);
    if (isWord(token, 'LAMBDA')) return namesAfter(tokens, index).names;
    const name = nameOf(token);
    return name !== undefined && isGiven(tokens, index) ? [name] : [];
  });
  return new Set(names.map((name) => name.toLowerCase()));
}

function isGiven(tokens: readonly SqlToken[], index: number): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isSymbol(before, '.')) return false;
  if (isWord(before, 'AS', 'WITH', 'RECURSIVE', 'WINDOW', 'OVER')) return true;
  if (isWord(after, 'AS') && isSymbol(tokens[index + 2], '(')) return true;
  if (isSymbol(after, '->', ':=', '=>', ':')) return true;
  return isAfterValue(before) && !isOwnWord(tokens[index]);
}

/** The names in brackets of `(a, b) -> a + b`, `AS t(a, b)` and `WITH t(a, b) AS`. */
function listedNames(tokens: readonly SqlToken[], open: number): readonly string[] {
  const { names, end } = namesAfter(tokens, open);
  if (!isSymbol(tokens[end], ')')) return [];
  const isAlias = isWord(tokens[open - 2], 'AS', 'WITH', 'RECURSIVE');
  const after = tokens[end + 1];
  return isAlias || isSymbol(after, '->') || isWord(after, 'AS') ? names : [];
}

/** Names with commas between them, and the place of what comes after. */
function namesAfter(
  tokens: readonly SqlToken[],
  index: number,
): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  let at = index + 1;
  for (let name = nameOf(tokens[at]); name !== undefined; name = nameOf(tokens[at])) {
    names.push(name);
    at += isSymbol(tokens[at + 1], ',') ? 2 : 1;
    if (!isSymbol(tokens[at - 1], ',')) break;
  }
  return { names, end: at };
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
