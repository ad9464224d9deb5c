import { format, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

const INDENT = 2;
const BYTE_ORDER_MARK = /^\uFEFF/;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/gs;

/**
 * Formats a stored text for an editor. Indents a config on one line with two spaces; leaves any
 * other text unchanged. Changes only white space, not keys, their order, or the digits of numbers.
 */
export function presentJson(stored: string): string {
  const text = stored.replace(BYTE_ORDER_MARK, '');
  const trimmed = text.trim();
  if (trimmed === '') return '{}';
  if (/[\r\n]/.test(trimmed) || parseStrictTree(trimmed) === undefined) return text;
  return layOut(trimmed);
}

/**
 * Returns true if two editor texts are equal, ignoring differences in line breaks, which VS Code
 * normalizes.
 */
export function sameEditorText(left: string, right: string): boolean {
  return normalizeText(left) === normalizeText(right);
}

/**
 * Returns true if two JSON texts have the same values, in the same order and with the same digits,
 * regardless of formatting. For documents that the service stores as text.
 */
export function sameJsonText(left: string, right: string): boolean {
  return left === right || compactJson(left) === compactJson(right);
}

/**
 * Returns true if two JSON texts have the same values, regardless of the order of keys. For
 * documents with Struct as their wire format, which doesn't preserve the order of keys and converts
 * numbers to doubles.
 */
export function sameJsonValue(left: string, right: string): boolean {
  if (sameJsonText(left, right)) return true;
  const [leftTree, rightTree] = [parseStrictTree(left), parseStrictTree(right)];
  if (!leftTree || !rightTree) return false;
  return canonical(getNodeValue(leftTree)) === canonical(getNodeValue(rightTree));
}

/** Removes the white space between the tokens of a JSON text. */
export function compactJson(text: string): string {
  return text.replace(BYTE_ORDER_MARK, '').replace(STRINGS_AND_SPACE, '$1');
}

/**
 * Parses strict JSON (no comments, no trailing commas) to a syntax tree; returns undefined if the
 * text is invalid.
 */
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
  // The edits are sorted, so one pass is enough. The library's `applyEdits` would copy the text for
  // each edit.
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
