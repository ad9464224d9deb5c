import {
  compactJson,
  getAllMembers,
  getSource,
  type JsonMember,
  type JsonValue,
  parseJsonValue,
} from './jsonText';
import { detectLineEnding, getIndent } from './textLayout';

const DEFAULT_INDENT = '  ';
/** Pattern for an empty container, which has no layout to follow. */
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;

/**
 * Returns the value of a key in an object. If the key is repeated, returns the last value. Returns
 * undefined for values that are not objects.
 */
export function memberValue(value: JsonValue, key: string): JsonValue | undefined {
  if (value.node.type !== 'object') return undefined;
  return getAllMembers(value).findLast((member) => member.key === key)?.value;
}

/** Replaces `value` with other JSON, formatted for its position, and returns the whole text. */
export function replaceValue(value: JsonValue, source: string): string {
  const { text, node } = value;
  const laidOut = indented(source, getIndent(text, node.offset), text);
  return text.slice(0, node.offset) + laidOut + text.slice(node.offset + node.length);
}

/**
 * Appends a member to `object`, formatted like the members before it, and returns the whole text.
 */
export function appendMember(object: JsonValue, keyText: string, source: string): string {
  return append(
    object,
    (inner, text) => `${keyText}:${spaceAfterColon(object)}${indented(source, inner, text)}`,
  );
}

/**
 * Appends an element to `list`, formatted like the elements before it, and returns the whole text.
 */
export function appendElement(list: JsonValue, source: string): string {
  return append(list, (inner, text) => indented(source, inner, text));
}

/**
 * Removes the member at `index` from `object`, with its comma and line, and returns the whole text.
 */
function removeMember(object: JsonValue, index: number): string {
  const { text, node } = object;
  const properties = node.children ?? [];
  const [before, property, after] = [
    properties[index - 1],
    properties[index],
    properties[index + 1],
  ];
  if (!property) return text;
  let [start, end] = [property.offset, property.offset + property.length];
  if (after) end = after.offset;
  else if (before) start = before.offset + before.length;
  else [start, end] = [node.offset + 1, node.offset + node.length - 1];
  return text.slice(0, start) + text.slice(end);
}

function append(
  container: JsonValue,
  write: (innerIndent: string, text: string) => string,
): string {
  const { text, node } = container;
  const last = node.children?.at(-1);
  const outer = getIndent(text, node.offset);
  const eol = detectLineEnding(text);
  if (last) {
    const end = last.offset + last.length;
    const first = node.children?.[0]?.offset ?? end;
    const gap = text.slice(node.offset + 1, first);
    const inner = /\n([ \t]*)$/.exec(gap)?.[1];
    const separator = inner === undefined ? `,${oneLineSpace(text, container)}` : `,${eol}${inner}`;
    return text.slice(0, end) + separator + write(inner ?? outer, text) + text.slice(end);
  }
  const inner = outer + indentUnit(text);
  const isCompact = !text.includes('\n') && !EMPTY.test(text);
  const [open, close] = isCompact ? ['', ''] : [eol + inner, eol + outer];
  const content = open + write(isCompact ? outer : inner, text) + close;
  return text.slice(0, node.offset + 1) + content + text.slice(node.offset + node.length - 1);
}

/**
 * Reindents all lines in JSON except the first one to `indent`. If the surrounding text is on one
 * line, formats the JSON as a single line.
 */
function indented(source: string, indent: string, into: string): string {
  if (!into.includes('\n') && !EMPTY.test(into)) return compactJson(source);
  const lines = source.split(/\r?\n/);
  // The last line contains the closing bracket, which has the indentation of the value's first
  // line.
  const from = /^[ \t]*/.exec(lines.length > 1 ? (lines.at(-1) ?? '') : '')?.[0] ?? '';
  const [first = '', ...rest] = lines;
  const moved = rest.map(
    (line) => indent + (line.startsWith(from) ? line.slice(from.length) : line.trimStart()),
  );
  return [first, ...moved].join(detectLineEnding(into));
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? DEFAULT_INDENT;
}

/**
 * Returns a space if single-line containers in this text have a space after each comma; otherwise,
 * returns an empty string.
 */
function oneLineSpace(text: string, container: JsonValue): string {
  const source = getSource(container);
  return /[,:] /.test(source) || (text.includes('\n') && !/[,:]\S/.test(source)) ? ' ' : '';
}

function spaceAfterColon(object: JsonValue): string {
  const [first] = getAllMembers(object);
  if (!first) return object.text.includes('\n') || EMPTY.test(object.text) ? ' ' : '';
  const { node } = first.value;
  return /\s/.test(object.text.charAt(node.offset - 1)) ? ' ' : '';
}

/**
 * Applies a JSON merge patch (RFC 7396) to JSON text: members in the patch replace members with the
 * same key, `null` removes them, objects are merged recursively, and everything else is replaced as
 * a whole. Changes only the affected text, which preserves key order, layout, and the digits of
 * numbers. If a key is repeated, the last member is used and the others are removed.
 * @param target strict JSON; an empty string counts as an empty object.
 * @throws SyntaxError if the target or the patch isn't strict JSON.
 */
export function applyMergePatch(target: string, patch: string): string {
  const text = target.trim() === '' ? '{}' : target;
  return mergeAt(text, [], parse(patch));
}

function mergeAt(text: string, path: readonly string[], patch: JsonValue): string {
  const target = valueAt(text, path);
  if (patch.node.type !== 'object' || target.node.type !== 'object') {
    const replacement = withoutNulls(patch);
    const isSame = compactJson(getSource(target)) === compactJson(replacement);
    return isSame ? text : replaceValue(target, replacement);
  }
  let merged = text;
  for (const { key, keyText, value } of lastMembers(patch)) {
    merged =
      value.node.type === 'null'
        ? removeKey(merged, path, key)
        : setKey(merged, path, { key, keyText, value });
  }
  return merged;
}

function setKey(
  text: string,
  path: readonly string[],
  { key, keyText, value }: JsonMember,
): string {
  const object = valueAt(text, path);
  const found = getAllMembers(object).filter((member) => member.key === key);
  if (found.length === 0) return appendMember(object, keyText, withoutNulls(value));
  if (found.length > 1) return setKey(removeFirst(text, path, key), path, { key, keyText, value });
  return mergeAt(text, [...path, key], value);
}

function removeKey(text: string, path: readonly string[], key: string): string {
  const isThere = getAllMembers(valueAt(text, path)).some((member) => member.key === key);
  return isThere ? removeKey(removeFirst(text, path, key), path, key) : text;
}

function removeFirst(text: string, path: readonly string[], key: string): string {
  const object = valueAt(text, path);
  return removeMember(
    object,
    getAllMembers(object).findIndex((member) => member.key === key),
  );
}

/**
 * Returns the result of applying a patch to an absent value: the patch itself without its `null`
 * members.
 */
function withoutNulls(patch: JsonValue): string {
  const source = getSource(patch);
  if (patch.node.type !== 'object') return source;
  let text = source;
  for (const { key, value } of lastMembers(parse(source))) {
    if (value.node.type === 'null') {
      text = removeKey(text, [], key);
    } else if (value.node.type === 'object') {
      const cleaned = withoutNulls(value);
      if (cleaned !== getSource(value)) text = replaceValue(valueAt(text, [key]), cleaned);
    }
  }
  return text;
}

/** Returns the members of an object. If a key is repeated, returns only the last member. */
function lastMembers(object: JsonValue): Iterable<JsonMember> {
  return new Map(getAllMembers(object).map((member) => [member.key, member])).values();
}

function valueAt(text: string, path: readonly string[]): JsonValue {
  let value = parse(text);
  for (const key of path) {
    const member = getAllMembers(value).findLast((one) => one.key === key);
    if (!member) throw new SyntaxError(`${key} doesn't exist.`);
    value = member.value;
  }
  return value;
}

function parse(text: string): JsonValue {
  const value = parseJsonValue(text);
  if (!value) throw new SyntaxError('This is not valid JSON.');
  return value;
}
