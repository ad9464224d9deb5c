import { toDisplayText } from '../../model/displayText';
import { BYTE_ORDER_MARK, splitLines } from './textLines';

/** Organization whose readings a notebook queries. */
export interface NotebookOrganization {
  readonly id: string;
  /** Name of the organization, for human readers only. The ID identifies the organization. */
  readonly name: string;
}

const EDGE = /^---[ \t]*$/;
/**
 * Pattern for a line in the subset of YAML that Markdown file headers use: members, lists, indented
 * lines, and comments.
 */
const MEMBER = /^(?:#[^]*|[ \t][^]*|-[ \t][^]*|[\w.-]+[ \t]*:[^]*|)$/;
const ORGANIZATION =
  /^organization[ \t]*:[ \t]*("(?:[^"\\]|\\.)*"|\S+)[ \t]*(?:#[ \t]*([^]*?))?[ \t]*$/;
const MAX_NAME_LENGTH = 100;

/**
 * Returns the offset of the end of a Markdown file's header, before the line break; 0 if there is
 * no header.
 */
export function headerEnd(text: string): number {
  const from = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const [first, ...lines] = splitLines(text, from);
  if (!first || !EDGE.test(first.text)) return 0;
  const end = lines.findIndex((line) => !MEMBER.test(line.text) || EDGE.test(line.text));
  const closing = lines[end];
  return closing && EDGE.test(closing.text) ? closing.end : 0;
}

/** Returns the organization that a header specifies; undefined if there is none. */
export function organizationIn(header: string): NotebookOrganization | undefined {
  for (const { text } of splitLines(header)) {
    const match = ORGANIZATION.exec(text);
    const id = match?.[1] === undefined ? undefined : unquoted(match[1]);
    if (id) return { id, name: match?.[2] ?? '' };
  }
  return undefined;
}

/**
 * Sets the organization in a header and leaves everything else unchanged. @param lineBreak line
 * break used in the file.
 */
export function withOrganization(
  header: string,
  organization: NotebookOrganization,
  lineBreak: string,
): string {
  const entry = `organization: ${quoted(organization.id)}${formatComment(organization.name)}`;
  const mark = header.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  if (headerEnd(header) === 0) return mark + ['---', entry, '---'].join(lineBreak);
  const lines = splitLines(header);
  const there = lines.find(({ text }) => ORGANIZATION.test(text));
  if (there) return header.slice(0, there.start) + entry + header.slice(there.end);
  const before = lines.at(-1)?.start ?? 0;
  return header.slice(0, before) + entry + lineBreak + header.slice(before);
}

function unquoted(word: string): string | undefined {
  if (!word.startsWith('"')) return word;
  try {
    return String(JSON.parse(word));
  } catch {
    return undefined;
  }
}

function quoted(id: string): string {
  return /^[\w-]+$/.test(id) ? id : JSON.stringify(id);
}

function formatComment(name: string): string {
  const shown = toDisplayText(name, MAX_NAME_LENGTH).trim();
  return shown === '' ? '' : ` # ${shown}`;
}
