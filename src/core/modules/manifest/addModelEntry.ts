import { modify, type Node } from 'jsonc-parser';
import type { TextEdit } from '../../documents/textEdit';
import { detectFormatting } from './manifestEdits';
import { findField } from './manifestTree';
import { parseManifest } from './parseManifest';

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Returns the edits that add an entry to a manifest's models. The edits leave everything else in
 * the text unchanged, including comments and commas. Returns undefined if the text is invalid or
 * its models are not a list.
 */
export function addModelEntry(text: string, entry: object): readonly TextEdit[] | undefined {
  const { root } = parseManifest(text);
  if (root?.type !== 'object' || text[getNodeEnd(root) - 1] !== '}') return undefined;
  const models = findField(root, ['models'])?.value;
  if (!models) return addModels(text, entry);
  if (models.type !== 'array' || text[getNodeEnd(models) - 1] !== ']') return undefined;
  const last = models.children?.at(-1);
  return last ? append(text, models, last, entry) : [addFirst(text, models, entry)];
}

/** Adds a list with the entry to a manifest that has no list of models. */
function addModels(text: string, entry: object): readonly TextEdit[] {
  const options = { formattingOptions: detectFormatting(text) };
  return modify(text.replace(/^\uFEFF/, ' '), ['models'], [entry], options).map(
    ({ offset, length, content }) => ({ start: offset, end: offset + length, text: content }),
  );
}

/** Adds the entry to an empty list, after any comments in the list. */
function addFirst(text: string, models: Node, entry: object): TextEdit {
  const { eol, unit } = detectIndentation(text);
  const close = getNodeEnd(models) - 1;
  const textEnd = findTextEnd(text, close);
  const outer = indentAt(text, models.offset);
  const inner = `${outer}${unit}`;
  const value = format(entry, inner, unit, eol);
  return { start: textEnd, end: close, text: `${eol}${inner}${value}${eol}${outer}` };
}

/** Adds the entry after the last entry and its comments, with the same layout. */
function append(text: string, models: Node, last: Node, entry: object): readonly TextEdit[] {
  const { eol, unit } = detectIndentation(text);
  const close = getNodeEnd(models) - 1;
  const end = getNodeEnd(last);
  const tail = text.slice(end, close);
  const hasComma = tail.replace(COMMENT, '').includes(',');
  const indent = indentAt(text, end);
  const isLong = text.slice(last.offset, end).includes('\n');
  const value = isLong ? format(entry, indent, unit, eol) : formatInline(entry);
  const space = tail.includes('\n') ? `${eol}${indent}` : ' ';
  const textEnd = findTextEnd(text, close);
  const added = { start: textEnd, end: textEnd, text: `${space}${value}${hasComma ? ',' : ''}` };
  if (hasComma) return [added];
  if (textEnd === end) return [{ ...added, text: `,${added.text}` }];
  return [{ start: end, end, text: ',' }, added];
}

function format(entry: object, indent: string, unit: string, eol: string): string {
  return JSON.stringify(entry, undefined, unit).replaceAll('\n', `${eol}${indent}`);
}

/** Formats an object on one line with spaces. */
function formatInline(entry: object): string {
  const fields = Object.entries(entry).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

function detectIndentation(text: string) {
  const { insertSpaces, tabSize = 2, eol = '\n' } = detectFormatting(text);
  return { eol, unit: insertSpaces ? ' '.repeat(tabSize) : '\t' };
}

/** Returns the end of the text before an offset, excluding white space. */
function findTextEnd(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length;
}

/** Returns the indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

function getNodeEnd({ offset, length }: Node): number {
  return offset + length;
}
