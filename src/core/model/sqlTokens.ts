/** Lexical kind of an SQL token. */
export type SqlTokenKind =
  | 'word'
  | 'quotedName'
  | 'text'
  | 'number'
  | 'comment'
  | 'symbol'
  | 'parameter';

export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** Text as written; includes the colon or braces of a parameter. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Number of open brackets around the token, not counting the token itself. */
  readonly depth: number;
  /** True if the string, quoted name, or comment is closed. */
  readonly isClosed: boolean;
}

const SPACE = /\s+/y;
const COMMENT_LINE = /--[^\n]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;
const ESCAPED_TEXT = /[eE]'(?:[^'\\]|\\[^]|'')*(?:'|$)/y;
const TEXT = /'(?:[^']|'')*(?:'|$)/y;
const QUOTED_NAME = /"(?:[^"]|"")*(?:"|$)/y;
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const BRACED = /\{\{\s*([\p{L}_][\p{L}\p{N}_]*)\s*\}\}/uy;
const COLON = /:([\p{L}_][\p{L}\p{N}_]*)/uy;
const SYMBOL = /::|:=|->>|->|=>|==|<=|>=|<>|!=|\|\||\/\/|\*\*|[^]/uy;

const OPENING = '([{';
const CLOSING = ')]}';

/** Words that must be followed by a value, so a colon after them starts a parameter. */
const BEFORE_VALUES = new Set([
  ...['SELECT', 'WHERE', 'AND', 'OR', 'NOT', 'IN', 'LIKE', 'ILIKE', 'SIMILAR', 'TO', 'BETWEEN'],
  ...['LIMIT', 'OFFSET', 'INTERVAL', 'WHEN', 'THEN', 'ELSE', 'CASE', 'ON', 'BY', 'HAVING', 'IS'],
  ...[
    'FROM',
    'FOR',
    'DISTINCT',
    'QUALIFY',
    'ESCAPE',
    'GLOB',
    'VALUES',
    'TIMESTAMP',
    'DATE',
    'TIME',
  ],
]);

/**
 * Splits SQL into tokens with their positions. White space is not a token. Accepts any text,
 * including invalid SQL. CodeMirror's parser wouldn't provide more information but would add an
 * editor to the extension host.
 */
export function sqlTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  let depth = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const [kind, found, isClosed = true] = readToken(text, at, match, tokens);
    const isOpening = kind === 'symbol' && OPENING.includes(found);
    if (kind === 'symbol' && CLOSING.includes(found)) depth = Math.max(0, depth - 1);
    tokens.push({ kind, text: found, start: at, end: at + found.length, depth, isClosed });
    if (isOpening) depth += 1;
    at += found.length;
  }
  return tokens;
}

type Read = readonly [kind: SqlTokenKind, text: string, isClosed?: boolean];

function readToken(
  text: string,
  at: number,
  match: (pattern: RegExp) => string | undefined,
  before: readonly SqlToken[],
): Read {
  const line = match(COMMENT_LINE);
  if (line !== undefined) return ['comment', line];
  if (text.startsWith('/*', at)) return blockComment(text, at);
  const quoted = match(ESCAPED_TEXT) ?? match(TEXT);
  if (quoted !== undefined) return ['text', quoted, isClosedBy(quoted, "'")];
  const name = match(QUOTED_NAME);
  if (name !== undefined) return ['quotedName', name, isClosedBy(name, '"')];
  const tag = match(DOLLAR_QUOTE);
  if (tag !== undefined) return readDollarText(text, at, tag);
  const braced = match(BRACED);
  if (braced !== undefined) return ['parameter', braced];
  const colon = match(COLON);
  if (colon !== undefined && isParameter(text, at, before)) return ['parameter', colon];
  const word = match(WORD);
  if (word !== undefined) return ['word', word];
  const number = match(NUMBER);
  if (number !== undefined) return ['number', number];
  return ['symbol', match(SYMBOL) ?? text.charAt(at)];
}

/** Reads a block comment. Block comments can be nested. */
function blockComment(text: string, at: number): Read {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  let open = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    open += mark[0] === '/*' ? 1 : -1;
    if (open === 0) return ['comment', text.slice(at, marks.lastIndex)];
  }
  return ['comment', text.slice(at), false];
}

function readDollarText(text: string, at: number, tag: string): Read {
  const end = text.indexOf(tag, at + tag.length);
  return end === -1 ? ['text', text.slice(at), false] : ['text', text.slice(at, end + tag.length)];
}

function isClosedBy(quoted: string, mark: string): boolean {
  return quoted.length > 1 && quoted.endsWith(mark);
}

/**
 * Returns true if a colon starts a parameter, which is possible only where a value is expected.
 * Otherwise, the colon is part of `{'key':value}`, `list[from:to]`, or `name:value`.
 */
function isParameter(text: string, at: number, before: readonly SqlToken[]): boolean {
  const previous = before.findLast(({ kind }) => kind !== 'comment');
  if (previous === undefined) return true;
  switch (previous.kind) {
    case 'symbol':
      return previous.text === '['
        ? !isIndexed(before[before.lastIndexOf(previous) - 1])
        : !CLOSING.includes(previous.text);
    case 'word':
      return BEFORE_VALUES.has(previous.text.toUpperCase()) && previous.end < at;
    default:
      return false;
  }
}

/** Returns true if a bracket after this token is a subscript, as in `list[:3]`. */
function isIndexed(token: SqlToken | undefined): boolean {
  if (token?.kind === 'word') return !BEFORE_VALUES.has(token.text.toUpperCase());
  return token?.kind === 'quotedName' || (token?.kind === 'symbol' && CLOSING.includes(token.text));
}

/** Returns true for a token other than a comment. */
export function isMeaningful({ kind }: SqlToken): boolean {
  return kind !== 'comment';
}

/** Returns true if a token is one of the given words, ignoring case. */
export function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

/** Returns true if a token is one of the given symbols. */
export function isSymbol(token: SqlToken | undefined, ...symbols: readonly string[]): boolean {
  return token?.kind === 'symbol' && symbols.includes(token.text);
}

/** Returns the name that an unquoted or quoted word represents; undefined for other tokens. */
export function getTokenName(token: SqlToken | undefined): string | undefined {
  if (token?.kind === 'word') return token.text;
  if (token?.kind !== 'quotedName') return undefined;
  return token.text.slice(1, token.isClosed ? -1 : undefined).replaceAll('""', '"');
}

/** Returns a string as an SQL literal. */
export function toSqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
