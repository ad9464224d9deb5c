import { compactJson } from './jsonText';
import { type JsonMember, type JsonValue, sourceOf } from './jsonTree';

const DEFAULT_INDENT = '  ';
/** A text with nothing in it has no layout to follow. */
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;

/** The members of an object in their order, a repeated key as often as it is there. */
export function allMembers({ text, node }: JsonValue): readonly JsonMember[] {
  return (node.children ?? []).flatMap((property): JsonMember[] => {
    const [key, inner] = property.children ?? [];
    if (!key || !inner) return [];
    const keyText = text.slice(key.offset, key.offset + key.length);
    return [{ key: String(key.value), keyText, value: { text, node: inner } }];
  });
}

/** What an object has under a key, of which the last one counts; undefined of all that is no object. */
export function memberValue(value: JsonValue, key: string): JsonValue | undefined {
  if (value.node.type !== 'object') return undefined;
  return allMembers(value).findLast((member) => member.key === key)?.value;
}

/** The whole text with `value` replaced by other JSON, laid out for that place. */
export function replaceValue(value: JsonValue, source: string): string {
  const { text, node } = value;
  const laidOut = indented(source, indentAt(text, node.offset), text);
  return text.slice(0, node.offset) + laidOut + text.slice(node.offset + node.length);
}

/** The whole text with a member added at the end of `object`, laid out like those before it. */
export function appendMember(object: JsonValue, keyText: string, source: string): string {
  return append(
    object,
    (inner, text) => `${keyText}:${spaceAfterColon(object)}${indented(source, inner, text)}`,
  );
}

/** The whole text with an element added at the end of `list`, laid out like those before it. */
export function appendElement(list: JsonValue, source: string): string {
  return append(list, (inner, text) => indented(source, inner, text));
}

/** The whole text without the member at `index` of `object`, nor the comma and the line it had. */
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
  const eol = endOfLine(text);
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

/** JSON with its further lines moved from where they were to `indent`; on one line where all else is. */
function indented(source: string, indent: string, into: string): string {
  if (!into.includes('\n') && !EMPTY.test(into)) return compactJson(source);
  const lines = source.split(/\r?\n/);
  // The last line holds the closing bracket, which stands where the value's own line began.
  const from = /^[ \t]*/.exec(lines.length > 1 ? (lines.at(-1) ?? '') : '')?.[0] ?? '';
  const [first = '', ...rest] = lines;
  const moved = rest.map(
    (line) => indent + (line.startsWith(from) ? line.slice(from.length) : line.trimStart()),
  );
  return [first, ...moved].join(endOfLine(into));
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? DEFAULT_INDENT;
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Whether one-line containers of this text have a space after their commas. */
function oneLineSpace(text: string, container: JsonValue): string {
  const source = sourceOf(container);
  return /[,:] /.test(source) || (text.includes('\n') && !/[,:]\S/.test(source)) ? ' ' : '';
}

function spaceAfterColon(object: JsonValue): string {
  const [first] = allMembers(object);
  if (!first) return object.text.includes('\n') || EMPTY.test(object.text) ? ' ' : '';
  const { node } = first.value;
  return /\s/.test(object.text.charAt(node.offset - 1)) ? ' ' : '';
}
