import { type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';

/** Reason that a document can't be saved; the host provides the messages. */
export type JsonProblemCode =
  | 'notJson'
  | 'byteOrderMark'
  | 'comment'
  | 'trailingComma'
  | 'notAnObject'
  | 'duplicateKey'
  | 'numberOutOfRange'
  | 'numberNotKept'
  | 'unpairedSurrogate';

export interface JsonProblem {
  readonly code: JsonProblemCode;
  /** UTF-16 offset in the text, and length in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
  /** The parser's name for a syntax error, the repeated key, or the number or escape as written. */
  readonly detail: string;
}

/** Maximum number of syntax errors to report for one document. More errors wouldn't be helpful. */
const MAX_SYNTAX_ERRORS = 100;

/** A document's wire format: its text, byte for byte, or a protobuf Struct. */
export type WireFormat = 'text' | 'struct';

/**
 * Returns all problems that prevent saving `text`, in text order. Documents must be strict JSON
 * with an object at the top level. Rejects repeated keys, because programs that read a config
 * differ in which of the values they use (RFC 8259, section 4). Rejects numbers beyond the range of
 * a double, because a Struct, to which every config is converted on the wire, can't represent them.
 * For a Struct document, also rejects values that would change silently: numbers that a double
 * rounds, and unpaired surrogates.
 */
export function findJsonProblems(text: string, wireFormat: WireFormat): JsonProblem[] {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  if (errors.length > 0) {
    const first = errors.slice(0, MAX_SYNTAX_ERRORS);
    return dedupeByOffset(first.map((error) => syntaxProblem(text, error)));
  }
  if (tree?.type !== 'object') {
    return [{ ...getRootRange(tree, text), code: 'notAnObject', detail: '' }];
  }
  const strict = strictProblem(text);
  if (strict) return [strict];
  return findValueProblems(text, wireFormat);
}

/** Keeps one problem per position, because one mistake can cause several parser errors there. */
function dedupeByOffset(problems: readonly JsonProblem[]): JsonProblem[] {
  return problems.filter(
    ({ offset }, index) => problems.findIndex((other) => other.offset === offset) === index,
  );
}

function syntaxProblem(text: string, { error, offset, length }: ParseError): JsonProblem {
  const detail = printParseErrorCode(error);
  // An error at the end of the text has no length, but the editor needs a character to underline.
  const start = length > 0 ? offset : Math.max(0, Math.min(offset, text.length - 1));
  const range = { offset: start, length: Math.max(1, length) };
  if (text.charAt(start) === '\uFEFF') return { ...range, code: 'byteOrderMark', detail };
  if (detail === 'InvalidCommentToken') return { ...range, code: 'comment', detail };
  const closing = /^\s*[}\]]/.test(text.slice(offset));
  const before = text.slice(0, offset).trimEnd();
  if (closing && before.endsWith(',')) {
    return { code: 'trailingComma', offset: before.length - 1, length: 1, detail };
  }
  return { ...range, code: 'notJson', detail };
}

/** Finds invalid JSON that the library accepts, such as control characters in strings. */
function strictProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    const position = Number(/position (\d+)/.exec(detail)?.[1] ?? 0);
    return { code: 'notJson', offset: position, length: 1, detail };
  }
}

function findValueProblems(text: string, wireFormat: WireFormat): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const open: Set<string>[] = [];
  const checkString = (value: string, start: number, sourceLength: number): void => {
    const source = text.slice(start, start + sourceLength);
    if (value.isWellFormed() && source.isWellFormed()) return;
    const half = findUnpairedSurrogate(source, wireFormat);
    if (!half) return;
    const { index, 0: written } = half;
    const detail = written.length > 1 ? written : `\\u${written.charCodeAt(0).toString(16)}`;
    const range = { offset: start + index, length: written.length };
    problems.push({ ...range, code: 'unpairedSurrogate', detail });
  };
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, offset, length) => {
      checkString(key, offset, length);
      const keys = open.at(-1);
      if (keys?.has(key)) problems.push({ code: 'duplicateKey', offset, length, detail: key });
      keys?.add(key);
    },
    onLiteralValue: (value, offset, length) => {
      if (typeof value === 'string') checkString(value, offset, length);
      if (typeof value !== 'number') return;
      const digits = text.slice(offset, offset + length);
      if (!Number.isFinite(Number(digits))) {
        problems.push({ code: 'numberOutOfRange', offset, length, detail: digits });
      } else if (wireFormat === 'struct' && !isExactDouble(digits)) {
        problems.push({ code: 'numberNotKept', offset, length, detail: digits });
      }
    },
  });
  return problems;
}

/** Escaped surrogate pairs, escaped surrogates, other escapes, and unescaped surrogates. */
const SURROGATES =
  /\\u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}|(?<escaped>\\u[Dd][89A-Fa-f][\dA-Fa-f]{2})|\\.|(?<raw>\p{Surrogate})/gu;

/**
 * Finds an unpaired surrogate, which UTF-8 can't encode, so the service would receive a replacement
 * character. The text format preserves escapes as written.
 */
function findUnpairedSurrogate(
  source: string,
  wireFormat: WireFormat,
): RegExpExecArray | undefined {
  for (const match of source.matchAll(SURROGATES)) {
    const { escaped, raw } = match.groups ?? {};
    if (raw !== undefined || (escaped !== undefined && wireFormat === 'struct')) return match;
  }
  return undefined;
}

/**
 * Returns true if a double preserves the decimal value of a JSON number. This is the case if
 * printing the double with the fewest digits that identify it, as JSON does, results in the same
 * value. 0.1 is preserved; 0.10000000000000000001 isn't.
 */
function isExactDouble(number: string): boolean {
  const printed = String(Number(number));
  return printed === number || toCanonicalDecimal(printed) === toCanonicalDecimal(number);
}

/**
 * Formats a decimal number in canonical notation. For example, both `-12.50e3` and `-12500` become
 * `-125e2`.
 */
function toCanonicalDecimal(number: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number);
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = match ?? [];
  const digits = integer + fraction;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  const significant = digits.slice(0, end).replace(/^0+/, '');
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${sign}${significant}e${power}`;
}

function getRootRange(tree: Node | undefined, text: string): { offset: number; length: number } {
  return tree
    ? { offset: tree.offset, length: Math.max(1, tree.length) }
    : { offset: 0, length: Math.max(1, text.length) };
}
