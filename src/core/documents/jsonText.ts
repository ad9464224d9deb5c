import { toCanonicalJson } from '../../base/canonicalJson';
import { format, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

const INDENT = 2;
const BYTE_ORDER_MARK = /^\uFEFF/;
const STRINGS_AND_SPACE = /("(?:[^"\\]|\\.)*")|\s+/gs;

/**
 * Formats stored text for an editor. Indents a single-line config with two spaces; leaves any other
 * text unchanged. Changes only white space, not keys, their order, or the digits of numbers.
 */
export function presentJson(stored: string): string {
  const text = stored.replace(BYTE_ORDER_MARK, '');
  const trimmed = text.trim();
  if (trimmed === '') return '{}';
  if (/[\r\n]/.test(trimmed) || parseStrictTree(trimmed) === undefined) return text;
  return layOut(trimmed);
}

/**
 * Returns true if the contents of two editors are equal, ignoring differences in line breaks, which
 * VS Code normalizes.
 */
export function sameEditorText(left: string, right: string): boolean {
  return normalizeText(left) === normalizeText(right);
}

/**
 * Returns true if two JSON documents have the same values, in the same order and with the same
 * digits, regardless of formatting. For documents that the service stores as text.
 */
export function sameJsonText(left: string, right: string): boolean {
  return left === right || compactJson(left) === compactJson(right);
}

/**
 * Returns true if two JSON documents have the same values, regardless of key order. For documents
 * with Struct as their wire format, which doesn't preserve key order and converts numbers to
 * doubles.
 */
export function sameJsonValue(left: string, right: string): boolean {
  if (sameJsonText(left, right)) return true;
  const [leftTree, rightTree] = [parseStrictTree(left), parseStrictTree(right)];
  if (!leftTree || !rightTree) return false;
  return toCanonicalJson(getNodeValue(leftTree)) === toCanonicalJson(getNodeValue(rightTree));
}

/** Removes the white space between JSON tokens. */
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

/** Value in JSON text, together with the text. */
export interface JsonValue {
  readonly text: string;
  readonly node: Node;
}

export interface JsonMember {
  readonly key: string;
  /** Key as written, with quotes. */
  readonly keyText: string;
  readonly value: JsonValue;
}

/** Keys that can identify the elements of a config's lists, in order of precedence. */
const IDENTIFYING_KEYS = ['name', 'id', 'fragment_id', 'pattern', 'key'];

/** Parses strict JSON; returns undefined if the text is invalid. */
export function parseJsonValue(text: string): JsonValue | undefined {
  const node = parseStrictTree(text);
  return node && { text, node };
}

/** Returns the value as written. */
export function getSource({ text, node }: JsonValue): string {
  return text.slice(node.offset, node.offset + node.length);
}

/** Returns true if two values are equal, including the order of keys, or if both are absent. */
export function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (!left || !right) return left === right;
  const [leftSource, rightSource] = [getSource(left), getSource(right)];
  return leftSource === rightSource || compactJson(leftSource) === compactJson(rightSource);
}

/**
 * Returns the members of an object; undefined for other values and for objects with repeated keys.
 */
export function getMembers(value: JsonValue): readonly JsonMember[] | undefined {
  if (value.node.type !== 'object') return undefined;
  const members = getAllMembers(value);
  return new Set(members.map(({ key }) => key)).size === members.length ? members : undefined;
}

/** Returns an object's members in order, including repeated keys. */
export function getAllMembers({ text, node }: JsonValue): readonly JsonMember[] {
  return (node.children ?? []).flatMap((property): JsonMember[] => {
    const [key, inner] = property.children ?? [];
    if (!key || !inner) return [];
    const keyText = text.slice(key.offset, key.offset + key.length);
    return [{ key: String(key.value), keyText, value: { text, node: inner } }];
  });
}

/** Returns the elements of a list; undefined for other values. */
export function getElements({ text, node }: JsonValue): readonly JsonValue[] | undefined {
  if (node.type !== 'array') return undefined;
  return (node.children ?? []).map((child) => ({ text, node: child }));
}

/**
 * Returns the elements of a list by identity (a component's `name`, a fragment's `id`, the string
 * itself in a mixed list). Returns undefined if the identities are not unique, or if the list
 * contains only plain values, whose position matters.
 */
export function identifiedElements(
  elements: readonly JsonValue[],
): ReadonlyMap<string, JsonValue> | undefined {
  const identified = new Map<string, JsonValue>();
  for (const element of elements) {
    const identity = getIdentity(element);
    if (identity === undefined || identified.has(identity)) return undefined;
    identified.set(identity, element);
  }
  const plain = elements.length > 0 && elements.every(({ node }) => node.type === 'string');
  return plain ? undefined : identified;
}

/** Returns the value that identifies an element in its list, such as a component's name. */
export function getIdentity(element: JsonValue): string | undefined {
  if (element.node.type === 'string') return String(element.node.value);
  const members = getMembers(element) ?? [];
  const identifying = IDENTIFYING_KEYS.map((key) => members.find((member) => member.key === key));
  const found = identifying.find((member) => member?.value.node.type === 'string');
  return found && String(found.value.node.value);
}

/** Difference between two JSON documents. */
export interface JsonChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** Path from the root of the document: keys, and names of list elements. */
  readonly path: readonly string[];
  /** Values before and after the change, as written; undefined where the value is absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Returns the structural differences between two JSON documents, in the order of the second
 * document. For example, an added component is one change, not one for each member. Ignores white
 * space.
 * @returns undefined if one of the documents isn't strict JSON.
 */
export function findJsonChanges(before: string, after: string): readonly JsonChange[] | undefined {
  const [left, right] = [parseJsonValue(before), parseJsonValue(after)];
  return left && right && [...changes(left, right, [])];
}

function* changes(
  before: JsonValue,
  after: JsonValue,
  path: readonly string[],
): Generator<JsonChange> {
  if (sameValue(before, after)) return;
  const [left, right] = [namedParts(before), namedParts(after)];
  if (!right || left?.kind !== right.kind) {
    yield { kind: 'changed', path, before: getSource(before), after: getSource(after) };
    return;
  }
  for (const [key, value] of right.parts) {
    const inner = [...path, key];
    const old = left.parts.get(key);
    if (old) yield* changes(old, value, inner);
    else yield { kind: 'added', path: inner, before: undefined, after: getSource(value) };
  }
  for (const [key, value] of left.parts) {
    if (right.parts.has(key)) continue;
    yield { kind: 'removed', path: [...path, key], before: getSource(value), after: undefined };
  }
}

interface NamedParts {
  readonly kind: 'object' | 'list';
  readonly parts: ReadonlyMap<string, JsonValue>;
}

function namedParts(value: JsonValue): NamedParts | undefined {
  const members = getMembers(value);
  if (members) {
    const parts = new Map(members.map(({ key, value: inner }) => [key, inner]));
    return { kind: 'object', parts };
  }
  const elements = getElements(value);
  const identified = elements && identifiedElements(elements);
  return identified && { kind: 'list', parts: identified };
}

/** Returns the value at a path of `findJsonChanges` as written; undefined if there is none. */
export type JsonFinder = (path: readonly string[]) => string | undefined;

/** Parses a document once for finding many values. Finds nothing in text that isn't strict JSON. */
export function createJsonFinder(text: string): JsonFinder {
  const root = parseJsonValue(text);
  const known = new Map<Node, NamedParts | undefined>();
  return (path) => {
    let value = root;
    for (const key of path) {
      if (!value) return undefined;
      const { node } = value;
      if (!known.has(node)) known.set(node, namedParts(value));
      value = known.get(node)?.parts.get(key);
    }
    return value && getSource(value);
  };
}
