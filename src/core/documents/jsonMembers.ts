import { compactJson } from './jsonText';
import { type JsonMember, type JsonValue, getSource } from './jsonTree';

const DEFAULT_INDENT = '  ';
/** An empty container has no layout to follow. */
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;

/** Returns the members of an object in order, including repeated keys. */
export function allMembers({ text, node }: JsonValue): readonly JsonMember[] {
  return (node.children ?? []).flatMap((property): JsonMember[] => {
    const [key, inner] = property.children ?? [];
    if (!key || !inner) return [];
    const keyText = text.slice(key.offset, key.offset + key.length);
    return [{ key: String(key.value), keyText, value: { text, node: inner } }];
  });
}

/**
 * Returns the value of a key in an object. If the key is repeated, returns the last value. Returns
 * undefined for values that are not objects.
 */
export function memberValue(value: JsonValue, key: string): JsonValue | undefined {
  if (value.node.type !== 'object') return undefined;
  return allMembers(value).findLast((member) => member.key === key)?.value;
}

/** Replaces `value` with other JSON, formatted for its position, and returns the whole text. */
export function replaceValue(value: JsonValue, source: string): string {
  const { text, node } = value;
  const laidOut = indented(source, indentAt(text, node.offset), text);
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
export function removeMember(object: JsonValue, index: number): string {
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
  const outer = indentAt(text, node.offset);
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
 * Reindents all lines of JSON except the first one to `indent`. If the surrounding text is on one
 * line, formats the JSON on one line.
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

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? DEFAULT_INDENT;
}

function detectLineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * Returns a space if containers that are on one line have spaces after their commas in this text.
 */
function oneLineSpace(text: string, container: JsonValue): string {
  const source = getSource(container);
  return /[,:] /.test(source) || (text.includes('\n') && !/[,:]\S/.test(source)) ? ' ' : '';
}

function spaceAfterColon(object: JsonValue): string {
  const [first] = allMembers(object);
  if (!first) return object.text.includes('\n') || EMPTY.test(object.text) ? ' ' : '';
  const { node } = first.value;
  return /\s/.test(object.text.charAt(node.offset - 1)) ? ' ' : '';
}
