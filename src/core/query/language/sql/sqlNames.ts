import { bracketed } from './sqlQuery';
import { getTokenName, isSymbol, isWord, type SqlToken } from '../../../model/sqlTokens';
import { OWN_WORDS, UNITS } from './sqlWords';

/** Names in a query, by role. */
export interface QueryNames {
  /**
   * All names that the query defines, in lowercase: columns, tables, windows, and parameters of
   * lambdas.
   */
  readonly definedNames: ReadonlySet<string>;
  /** Returns true if a token refers to a column, or to its table. */
  isReference: (token: SqlToken) => boolean;
  /**
   * Returns true if a token follows a complete value. A name at that position is an alias without
   * AS.
   */
  followsValue: (token: SqlToken) => boolean;
}

/** Keywords that are values or that end a value. */
const VALUE_WORDS = [
  ...(['END', 'NULL', 'TRUE', 'FALSE', 'ISNULL', 'NOTNULL', 'CURRENT_DATE'] as const),
  ...(['CURRENT_TIME', 'CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP'] as const),
] as const;
const UNIT_WORDS = UNITS.flatMap((unit) => [unit, `${unit}S`]);

export function readNames(tokens: readonly SqlToken[]): QueryNames {
  const types = findTypes(tokens);
  const references = new Set<SqlToken>();
  const following = new Set<SqlToken>();
  const definedNames = new Set<string>();
  let isAfterValue = false;
  tokens.forEach((token, index) => {
    if (isAfterValue && !types.has(token) && !isUnit(tokens, index)) following.add(token);
    if (!types.has(token)) {
      if (isReference(tokens, index) && !isAfterValue) references.add(token);
      for (const name of getNamesDefinedAt(tokens, index, isAfterValue)) {
        definedNames.add(name.toLowerCase());
      }
    }
    isAfterValue = types.has(token) || endsValue(tokens, index);
  });
  return {
    definedNames,
    isReference: (token) => references.has(token),
    followsValue: (token) => following.has(token),
  };
}

/** Returns the tokens that are part of types, which follow `::`, or AS in a CAST. */
function findTypes(tokens: readonly SqlToken[]): ReadonlySet<SqlToken> {
  const types = new Set<SqlToken>();
  const open: boolean[] = [];
  tokens.forEach((token, index) => {
    if (isSymbol(token, '(', '[', '{')) open.push(isWord(tokens[index - 1], 'CAST', 'TRY_CAST'));
    if (isSymbol(token, ')', ']', '}')) open.pop();
    if (!isSymbol(token, '::') && !(isWord(token, 'AS') && open.at(-1) === true)) return;
    for (const part of tokens.slice(index + 1, findTypeEnd(tokens, index + 1))) types.add(part);
  });
  return types;
}

/**
 * Returns the index of the token after a type such as `DOUBLE PRECISION`, `TIMESTAMP WITH TIME
 * ZONE`, or `STRUCT(a INT)[]`.
 */
function findTypeEnd(tokens: readonly SqlToken[], start: number): number {
  if (getTokenName(tokens[start]) === undefined) return start;
  let at = start + 1;
  if (isWord(tokens[at], 'PRECISION', 'VARYING')) at += 1;
  at += countBracketedTokens(tokens, at, '(');
  if (isWord(tokens[at], 'WITH', 'WITHOUT') && isWord(tokens[at + 1], 'TIME')) at += 3;
  if (isWord(tokens[at], 'ARRAY')) at += 1;
  for (let length = -1; length !== 0; at += length) length = countBracketedTokens(tokens, at, '[');
  return at;
}

/**
 * Returns the number of tokens in brackets of a given kind, including the brackets; 0 if there is
 * no opening bracket.
 */
function countBracketedTokens(tokens: readonly SqlToken[], at: number, kind: '(' | '['): number {
  return isSymbol(tokens[at], kind) ? (bracketed(tokens, at)?.length ?? 0) + 2 : 0;
}

function getNamesDefinedAt(
  tokens: readonly SqlToken[],
  index: number,
  isAfterValue: boolean,
): readonly string[] {
  const token = tokens[index];
  if (isSymbol(token, '(')) return listedNames(tokens, index);
  if (isWord(token, 'LAMBDA')) return namesAfter(tokens, index).names;
  if (isWord(token, 'FOR')) {
    // A list comprehension, such as [x + 1 FOR x IN list].
    const { names, end } = namesAfter(tokens, index);
    return isWord(tokens[end], 'IN') ? names : [];
  }
  const name = getTokenName(token);
  return name !== undefined && isDefinition(tokens, index, isAfterValue) ? [name] : [];
}

function isDefinition(tokens: readonly SqlToken[], index: number, isAfterValue: boolean): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (isSymbol(before, '.')) return false;
  if (isWord(before, 'AS', 'WITH', 'RECURSIVE', 'WINDOW', 'OVER')) return true;
  if (isWord(after, 'AS') && isSymbol(tokens[index + 2], '(')) return true;
  if (isSymbol(after, '->', ':=', '=>', ':')) return true;
  return isAfterValue && !isBuiltInWord(tokens[index]);
}

/**
 * Returns the names in parentheses, as in `(a, b) -> a + b`, `AS t(a, b)`, and `WITH t(a, b) AS`.
 */
function listedNames(tokens: readonly SqlToken[], open: number): readonly string[] {
  const { names, end } = namesAfter(tokens, open);
  if (!isSymbol(tokens[end], ')')) return [];
  const isAlias = isWord(tokens[open - 2], 'AS', 'WITH', 'RECURSIVE');
  const after = tokens[end + 1];
  return isAlias || isSymbol(after, '->') || isWord(after, 'AS') ? names : [];
}

/** Returns comma-separated names, and the index of the token after them. */
function namesAfter(
  tokens: readonly SqlToken[],
  index: number,
): { readonly names: readonly string[]; readonly end: number } {
  const names: string[] = [];
  let at = index + 1;
  for (let name = getTokenName(tokens[at]); name !== undefined; name = getTokenName(tokens[at])) {
    names.push(name);
    at += isSymbol(tokens[at + 1], ',') ? 2 : 1;
    if (!isSymbol(tokens[at - 1], ',')) break;
  }
  return { names, end: at };
}

function isReference(tokens: readonly SqlToken[], index: number): boolean {
  const [token, before, after] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  if (getTokenName(token) === undefined || isBuiltInWord(token)) return false;
  if (isSymbol(before, '.') || isWord(before, 'AS', 'OVER', 'COLLATE')) return false;
  if (isSymbol(after, '(', ':=', '=>', ':') || after?.kind === 'text') return false;
  // In extract(year FROM …), FROM separates a part of a date from its source.
  return !(isWord(after, 'FROM') && isSymbol(before, '('));
}

function isBuiltInWord(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && OWN_WORDS.has(token.text.toUpperCase());
}

/** Returns true if a token completes a value. */
function endsValue(tokens: readonly SqlToken[], index: number): boolean {
  const token = tokens[index];
  switch (token?.kind) {
    case 'word':
      return (
        !isBuiltInWord(token) ||
        isSymbol(tokens[index - 1], '.') ||
        isWord(token, ...VALUE_WORDS) ||
        isUnit(tokens, index)
      );
    case 'symbol':
      return isSymbol(token, ')', ']', '}');
    case undefined:
    case 'comment':
      return false;
    default:
      return true;
  }
}

/** Returns true if a word is an interval's unit, as in INTERVAL 1 DAY and INTERVAL (1 + 1) DAY. */
function isUnit(tokens: readonly SqlToken[], index: number): boolean {
  const [token, amount] = [tokens[index], tokens[index - 1]];
  if (amount === undefined || !isWord(token, ...UNIT_WORDS)) return false;
  if (!isSymbol(amount, ')')) return isWord(tokens[index - 2], 'INTERVAL');
  const open = tokens.findLastIndex(
    (other, at) => at < index - 1 && other.depth === amount.depth && isSymbol(other, '('),
  );
  return isWord(tokens[open - 1], 'INTERVAL');
}

/** Element in a name such as `data.readings."wind speed"`. */
export interface ChainStep {
  readonly name: string;
  readonly token: SqlToken;
}

/**
 * Reads a name and its members, starting at its first word. Excludes functions that are called with
 * a dot, and the contents of list subscripts.
 */
export function readChain(tokens: readonly SqlToken[], index: number): readonly ChainStep[] {
  const steps: ChainStep[] = [];
  for (let at = index; ;) {
    const token = tokens[at];
    const name = getTokenName(token);
    if (token === undefined || name === undefined || isSymbol(tokens[at + 1], '(')) return steps;
    steps.push({ name, token });
    at += 1;
    while (isKeyAt(tokens, at)) {
      const key = tokens[at + 1];
      if (key) steps.push({ name: key.text.slice(1, -1).replaceAll("''", "'"), token: key });
      at += 3;
    }
    if (!isSymbol(tokens[at], '.')) return steps;
    at += 1;
  }
}

/** Returns true if `['name']` is at this position. */
function isKeyAt(tokens: readonly SqlToken[], at: number): boolean {
  return (
    isSymbol(tokens[at], '[') && tokens[at + 1]?.kind === 'text' && isSymbol(tokens[at + 2], ']')
  );
}
