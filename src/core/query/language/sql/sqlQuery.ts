import {
  isMeaningful,
  isSymbol,
  isWord,
  getTokenName,
  type SqlToken,
} from '../../../model/sqlTokens';

/** Clause in a SELECT, identified by its first keyword. */
export type ClauseName =
  | 'SELECT'
  | 'FROM'
  | 'WHERE'
  | 'GROUP'
  | 'HAVING'
  | 'QUALIFY'
  | 'WINDOW'
  | 'ORDER'
  | 'LIMIT'
  | 'OFFSET'
  | 'USING'
  | 'TABLESAMPLE';

export interface Clause {
  readonly name: ClauseName;
  readonly keyword: SqlToken;
  /** All tokens after the keyword, including those in brackets. */
  readonly tokens: readonly SqlToken[];
}

/** Source of rows in a FROM clause. */
export interface Source {
  /** Name of the table without its qualifier; absent if the source is a query or function. */
  readonly table?: SqlToken | undefined;
  readonly alias?: string | undefined;
  readonly query?: SqlQuery | undefined;
  readonly tokens: readonly SqlToken[];
}

export interface Select {
  readonly tokens: readonly SqlToken[];
  readonly clauses: readonly Clause[];
  readonly sources: readonly Source[];
}

/**
 * SELECTs that are combined by UNION and similar operators, with the tables that WITH defines for
 * them.
 */
export interface SqlQuery {
  readonly named: ReadonlyMap<string, SqlQuery>;
  readonly selects: readonly Select[];
  readonly tokens: readonly SqlToken[];
}

const CLAUSES: ReadonlySet<string> = new Set<ClauseName>([
  ...(['SELECT', 'FROM', 'WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER'] as const),
  ...(['LIMIT', 'OFFSET', 'USING', 'TABLESAMPLE'] as const),
]);
const SET_OPERATORS = ['UNION', 'INTERSECT', 'EXCEPT'] as const;
const JOIN_WORDS = [
  ...(['JOIN', 'CROSS', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'OUTER', 'NATURAL', 'ASOF'] as const),
  ...(['POSITIONAL', 'SEMI', 'ANTI', 'LATERAL'] as const),
] as const;

/** Splits tokens into statements at semicolons and omits empty statements. */
export function splitStatements(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  return split(tokens.filter(isMeaningful), (token) => isSymbol(token, ';')).filter(
    (statement) => statement.length > 0,
  );
}

/** Parses a query, which can be incomplete or invalid, and returns the parts that it finds. */
export function readQuery(tokens: readonly SqlToken[]): SqlQuery {
  const { named, rest } = readNamed(tokens);
  const depth = getDepth(tokens);
  const parts = split(rest, (token) => token.depth === depth && isWord(token, ...SET_OPERATORS));
  return { named, tokens, selects: parts.map((part) => readSelect(skipSetModifiers(part), depth)) };
}

/**
 * Yields all SELECTs in a query, including those in named tables, sources, and parentheses. Outer
 * SELECTs are yielded before nested SELECTs.
 */
export function* selectsWithin(query: SqlQuery): Generator<Select> {
  for (const select of query.selects) {
    yield select;
    for (const inner of queriesWithin(select)) yield* selectsWithin(inner);
  }
  for (const named of query.named.values()) yield* selectsWithin(named);
}

/** Yields the queries in a SELECT's parentheses, but not the queries nested in them. */
function* queriesWithin({ tokens }: Select): Generator<SqlQuery> {
  for (let index = 0; index < tokens.length; index += 1) {
    const inner = bracketed(tokens, index);
    if (inner === undefined) continue;
    if (isQuery(inner)) {
      yield readQuery(inner);
      index += inner.length;
    }
  }
}

function readNamed(tokens: readonly SqlToken[]): {
  named: Map<string, SqlQuery>;
  rest: readonly SqlToken[];
} {
  const named = new Map<string, SqlQuery>();
  if (!isWord(tokens[0], 'WITH')) return { named, rest: tokens };
  let at = isWord(tokens[1], 'RECURSIVE') ? 2 : 1;
  for (;;) {
    const name = getTokenName(tokens[at]);
    if (name === undefined) break;
    const depth = getDepth(tokens);
    const as = tokens.findIndex(
      (token, index) => index > at && token.depth === depth && isWord(token, 'AS'),
    );
    const open = tokens.findIndex((token, index) => index > as && isSymbol(token, '('));
    const inner = as === -1 ? undefined : bracketed(tokens, open);
    if (inner === undefined) break;
    named.set(name.toLowerCase(), readQuery(inner));
    at = open + inner.length + 2;
    if (!isSymbol(tokens[at], ',')) break;
    at += 1;
  }
  return { named, rest: tokens.slice(at) };
}

function readSelect(tokens: readonly SqlToken[], depth: number): Select {
  const starts = tokens.flatMap((token, index) =>
    token.depth === depth && isClause(tokens, index) ? [index] : [],
  );
  const clauses = starts.flatMap((start, index): Clause[] => {
    const keyword = tokens[start];
    if (keyword === undefined) return [];
    const name = keyword.text.toUpperCase() as ClauseName;
    return [{ name, keyword, tokens: tokens.slice(start + 1, starts[index + 1]) }];
  });
  const from = clauses.find(({ name }) => name === 'FROM');
  if (from !== undefined) return { tokens, clauses, sources: parseSources(from.tokens, depth) };
  const inner = clauses.length > 0 ? undefined : bracketed(tokens, 0);
  const isInner = inner !== undefined && isQuery(inner);
  return { tokens, clauses, sources: isInner ? [{ query: readQuery(inner), tokens }] : [] };
}

function isClause(tokens: readonly SqlToken[], index: number): boolean {
  const [token, before, after] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  if (token?.kind !== 'word' || !CLAUSES.has(token.text.toUpperCase())) return false;
  if (isSymbol(before, '.')) return false;
  if (isWord(token, 'FROM')) return !isWord(before, 'DISTINCT');
  if (isWord(token, 'GROUP')) return !isWord(before, 'WITHIN');
  // In a join, USING introduces a condition.
  return !isWord(token, 'USING') || isWord(after, 'SAMPLE');
}

function parseSources(tokens: readonly SqlToken[], depth: number): Source[] {
  const parts = split(
    tokens,
    (token) => token.depth === depth && (isSymbol(token, ',') || isWord(token, ...JOIN_WORDS)),
  );
  return parts.flatMap((part) => (part.length > 0 ? [readSource(part)] : []));
}

function readSource(tokens: readonly SqlToken[]): Source {
  const inner = bracketed(tokens, 0);
  if (inner !== undefined) {
    const alias = aliasAt(tokens, inner.length + 2);
    return { tokens, alias, ...(isQuery(inner) && { query: readQuery(inner) }) };
  }
  let at = 0;
  while (isSymbol(tokens[at + 1], '.') && getTokenName(tokens[at + 2]) !== undefined) at += 2;
  const isFunction = isSymbol(tokens[at + 1], '(');
  const table = isFunction || getTokenName(tokens[at]) === undefined ? undefined : tokens[at];
  return { tokens, table, alias: isFunction ? undefined : aliasAt(tokens, at + 1) };
}

function aliasAt(tokens: readonly SqlToken[], at: number): string | undefined {
  if (isWord(tokens[at], 'ON', 'USING', 'TABLESAMPLE')) return undefined;
  return getTokenName(tokens[isWord(tokens[at], 'AS') ? at + 1 : at]);
}

/**
 * Returns the tokens between a bracket and its matching bracket, or up to the end if there is no
 * matching bracket; undefined if there is no opening bracket.
 */
export function bracketed(
  tokens: readonly SqlToken[],
  at: number,
): readonly SqlToken[] | undefined {
  const open = tokens[at];
  if (open === undefined || !isSymbol(open, '(')) return undefined;
  const close = tokens.findIndex(
    (token, index) => index > at && token.depth <= open.depth && token !== open,
  );
  return tokens.slice(at + 1, close === -1 ? undefined : close);
}

function isQuery([first, second]: readonly SqlToken[]): boolean {
  if (isSymbol(first, '(')) return isWord(second, 'SELECT', 'WITH', 'FROM');
  return isWord(first, 'SELECT', 'WITH', 'FROM', 'VALUES');
}

/** Removes the keywords of the operator that combines SELECTs. */
function skipSetModifiers(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let at = 0;
  while (isWord(tokens[at], 'ALL', 'DISTINCT', 'BY', 'NAME')) at += 1;
  return tokens.slice(at);
}

function getDepth([first]: readonly SqlToken[]): number {
  return first?.depth ?? 0;
}

function split(
  tokens: readonly SqlToken[],
  isBoundary: (token: SqlToken) => boolean,
): (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (isBoundary(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
