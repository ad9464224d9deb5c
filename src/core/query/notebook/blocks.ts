import { cellBegunBy, closesFence, type Fence, openingFence } from './fence';
import { findEndMarker } from './markers';
import type { CellContent } from './notebookCell';
import { isBlank, splitLines, type TextLine } from './textLines';

/** Cell with its position in a text. */
export interface Block {
  readonly content: CellContent;
  /** Form of the cell. A `marked` text is between two comments. */
  readonly form: 'plain' | 'marked' | 'fenced';
  /** Line breaks and blank lines after the previous cell. */
  readonly gap: string;
  /** Fence or comment before the content, and its closing counterpart; empty if there is none. */
  readonly opening: string;
  readonly closing: string;
  /** True if the cell has an explicit end, instead of ending at the end of the text. */
  readonly isClosed: boolean;
  /** Offset of the end of the cell, before the line break. */
  readonly end: number;
}

/** Range of lines, inclusive, and its kind. */
interface LineRange extends Pick<Block, 'isClosed'> {
  readonly first: number;
  readonly last: number;
  /** Form of the cell; absent for code that is part of a text. */
  readonly form?: 'marked' | 'fenced';
  readonly content?: CellContent;
}

/** Parses the cells of a text, starting at an offset after the header. */
export function parseBlocks(text: string, from = 0): readonly Block[] {
  const lines = splitLines(text, from);
  const blocks: Block[] = [];
  let textFrom = 0;
  let isTextClosed = true;
  const add = (block: Omit<Block, 'gap' | 'end'>, first: number, last: number): void => {
    const gap = text.slice(blocks.at(-1)?.end ?? from, lines[first]?.start);
    blocks.push({ ...block, gap, end: lines[last]?.end ?? from });
  };
  const addText = (until: number): void => {
    let [first, last] = [textFrom, until - 1];
    while (first <= last && isBlankAt(lines, first)) first++;
    while (last >= first && isBlankAt(lines, last)) last--;
    if (first > last) return;
    const content = { kind: 'text', text: joinLines(lines, first, last) } as const;
    const edges = { opening: '', closing: '', isClosed: isTextClosed };
    add({ content, form: 'plain', ...edges }, first, last);
  };
  for (let at = 0; at < lines.length; at++) {
    const found = readRangeAt(lines, at);
    if (!found) continue;
    at = found.last;
    isTextClosed = found.isClosed;
    const { first, last, form, content, isClosed } = found;
    if (!form || !content) continue;
    isTextClosed = true;
    addText(first);
    const opening = lines[first]?.text ?? '';
    const closing = isClosed ? (lines[last]?.text ?? '') : '';
    add({ content, form, opening, closing, isClosed }, first, last);
    textFrom = last + 1;
  }
  addText(lines.length);
  return blocks;
}

function readRangeAt(lines: readonly TextLine[], first: number): LineRange | undefined {
  const line = lines[first]?.text ?? '';
  const fence = openingFence(line);
  if (fence) return fencedAt(lines, first, fence);
  const end = findEndMarker(line);
  return end === undefined ? undefined : markedAt(lines, first, end);
}

function fencedAt(lines: readonly TextLine[], first: number, fence: Fence): LineRange {
  const { text, ...stretch } = readRangeUntil(lines, first, (line) => closesFence(line, fence));
  const begun = cellBegunBy(fence);
  return begun
    ? { ...stretch, form: 'fenced', content: { kind: 'code', ...begun, text } }
    : stretch;
}

function markedAt(lines: readonly TextLine[], first: number, end: string): LineRange {
  const { text, ...stretch } = readRangeUntil(lines, first, (line) => line.trimEnd() === end);
  return { ...stretch, form: 'marked', content: { kind: 'text', text } };
}

/**
 * Returns the lines up to the closing line of a block, or up to the last line if it isn't closed,
 * as in Markdown. Excludes blank lines at the end of a file.
 */
function readRangeUntil(
  lines: readonly TextLine[],
  first: number,
  isEnd: (line: string) => boolean,
): LineRange & { readonly text: string } {
  const end = lines.findIndex(({ text }, at) => at > first && isEnd(text));
  const isClosed = end >= 0;
  const last = isClosed ? end : lines.findLastIndex((line) => !isBlank(line));
  return { first, last, isClosed, text: joinLines(lines, first + 1, isClosed ? last - 1 : last) };
}

function joinLines(lines: readonly TextLine[], first: number, last: number): string {
  return lines
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join('\n');
}

function isBlankAt(lines: readonly TextLine[], at: number): boolean {
  const line = lines[at];
  return line !== undefined && isBlank(line);
}
