import { format, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

const INDENT = 2;
const BYTE_ORDER_MARK = /^\uFEFF/;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/gs;

/**
 * The text an editor shows for what the service keeps. A config kept on one line is laid out with two
 * spaces; any other is shown as it is. Only white space changes: keys, their order and the digits of
 * numbers are those of the kept text.
 */
export function presentJson(kept: string): string {
  const text = kept.replace(BYTE_ORDER_MARK, '');
  const trimmed = text.trim();
  if (trimmed === '') return '{}';
  if (/[\r\n]/.test(trimmed) || parseStrictTree(trimmed) === undefined) return text;
  return layOut(trimmed);
}

/** Whether two editor texts are the same but for line ends, which VS Code makes uniform. */
export function sameEditorText(left: string, right: string): boolean {
  return normalizeText(left) === normalizeText(right);
}

/**
 * Whether two JSON texts say the same in the same order with the same digits, however they are laid
 * out. This is the measure where the service keeps the text itself.
 */
export function sameJsonText(left: string, right: string): boolean {
  return left === right || compactJson(left) === compactJson(right);
}

/**
 * Whether two JSON texts hold the same values, whatever the order of keys. This is the measure where
 * the wire carries a Struct: it keeps no order of keys and turns numbers into doubles.
 */
export function sameJsonValue(left: string, right: string): boolean {
  if (sameJsonText(left, right)) return true;
  const [leftTree, rightTree] = [parseStrictTree(left), parseStrictTree(right)];
  if (!leftTree || !rightTree) return false;
  return canonical(getNodeValue(leftTree)) === canonical(getNodeValue(rightTree));
}

/** JSON text without the white space between its tokens. */
export function compactJson(text: string): string {
  return text.replace(BYTE_ORDER_MARK, '').replace(STRINGS_AND_SPACE, '$1');
}

/** The syntax tree of strict JSON (no comments, no trailing commas); undefined when it is not. */
export function parseStrictTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  return errors.length === 0 ? tree : undefined;
}

function layOut(text: string): string {
  // Edits come in order, so one pass is enough; the library's `applyEdits` copies the text per edit.
  let laidOut = '';
  let position = 0;
  for (const edit of format(text, undefined, { tabSize: INDENT, insertSpaces: true, eol: '\n' })) {
    laidOut += text.slice(position, edit.offset) + edit.content;
    position = edit.offset + edit.length;
  }
  return laidOut + text.slice(position);
}

function normalizeText(text: string): string {
  return text.replace(BYTE_ORDER_MARK, '').replace(/\r\n?/g, '\n');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
