import { isBlank, splitLines, type TextLine } from './textLines';

/** Cell with its position in the notebook's text. */
export interface Block {
  readonly content: CellContent;
  /** Form of the cell. A `marked` text cell is between two comments. */
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
  /** Form of the cell; absent for code that is part of a text cell. */
  readonly form?: 'marked' | 'fenced';
  readonly content?: CellContent;
}

/** Parses text into cells, starting at an offset after the header. */
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
  const { text, ...range } = readRangeUntil(lines, first, (line) => closesFence(line, fence));
  const begun = cellBegunBy(fence);
  return begun ? { ...range, form: 'fenced', content: { kind: 'code', ...begun, text } } : range;
}

function markedAt(lines: readonly TextLine[], first: number, end: string): LineRange {
  const { text, ...range } = readRangeUntil(lines, first, (line) => line.trimEnd() === end);
  return { ...range, form: 'marked', content: { kind: 'text', text } };
}

/**
 * Returns the lines up to a block's closing line, or up to the last line if it isn't closed, as in
 * Markdown. Excludes blank lines at the end of a file.
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

/** Markdown between the queries. */
export interface TextCell {
  readonly kind: 'text';
  /** The cell's content. Line breaks are line feeds, regardless of the line breaks in the file. */
  readonly text: string;
}

/** Query, or code in another language that VS Code supports. */
interface CodeCell {
  readonly kind: 'code';
  /** Language of the code: `sql`, `mql`, or the ID of another language. */
  readonly language: string;
  /** True to query only recent data, which the API supports only for MQL. */
  readonly recent: boolean;
  /** The cell's content. Line breaks are line feeds, regardless of the line breaks in the file. */
  readonly text: string;
}

export type CellContent = TextCell | CodeCell;

/** Returns true if two cells have the same content. */
export function isSameContent(one: CellContent, other: CellContent): boolean {
  if (one.kind === 'text' || other.kind === 'text') {
    return one.kind === other.kind && one.text === other.text;
  }
  return one.text === other.text && one.language === other.language && one.recent === other.recent;
}

/** Opening line of a code block in Markdown (CommonMark, "Fenced code blocks"). */
interface Fence {
  readonly indent: number;
  /** Opening marks: three or more backticks or tildes. The same number closes the block. */
  readonly marks: string;
  /** Text after the marks, starting with the name of the language. */
  readonly info: string;
}

const OPENING = /^( {0,3})(`{3,}|~{3,})([^]*)$/;
const CLOSING = /^ {0,3}(`+|~+)[ \t]*$/;
const QUERY_LANGUAGES: ReadonlySet<string> = new Set(['sql', 'mql']);
/** Word that marks a block in another language as a cell instead of an example in a text cell. */
const CELL_WORD = 'cell';
const RECENT_WORD = 'recent';
const PLAIN_LANGUAGE = 'plaintext';

export function openingFence(line: string): Fence | undefined {
  const match = OPENING.exec(line);
  if (!match) return undefined;
  const [, indent = '', marks = '', info = ''] = match;
  const isInline = marks.startsWith('`') && info.includes('`');
  return isInline ? undefined : { indent: indent.length, marks, info };
}

function closesFence(line: string, { marks }: Fence): boolean {
  const closing = CLOSING.exec(line)?.[1];
  return closing?.[0] === marks[0] && (closing?.length ?? 0) >= marks.length;
}

/**
 * Returns fence marks that don't occur as a closing line in the text. @param minimum shortest marks
 * that can be used.
 */
export function marksAround(text: string, minimum = '```'): string {
  const mark = minimum.startsWith('~') ? '~' : '`';
  const within = text.matchAll(mark === '~' ? /^ {0,3}(~{3,})/gm : /^ {0,3}(`{3,})/gm);
  const longest = [...within].map(([, marks = '']) => marks.length + 1);
  return mark.repeat(Math.max(minimum.length, ...longest));
}

/**
 * Returns the cell that a fence opens: `sql`, `mql`, `mql recent`, or any other language followed
 * by `cell`. Returns undefined for other fences.
 */
function cellBegunBy({ indent, info }: Fence): Pick<CodeCell, 'language' | 'recent'> | undefined {
  const [word = '', ...further] = info.split(/[ \t]+/).filter((part) => part !== '');
  const language = queryLanguage(word);
  if (indent > 0 || !isWritable(word)) return undefined;
  const option = further.join(' ');
  if (language === undefined) {
    return option === CELL_WORD ? { language: word, recent: false } : undefined;
  }
  if (option === '') return { language, recent: false };
  return language === 'mql' && option === RECENT_WORD ? { language, recent: true } : undefined;
}

/** Returns the text after the marks in a cell's opening fence. */
export function formatFenceInfo({
  language,
  recent,
}: Pick<CodeCell, 'language' | 'recent'>): string {
  const query = queryLanguage(language);
  if (query === undefined) {
    return `${isWritable(language) ? language : PLAIN_LANGUAGE} ${CELL_WORD}`;
  }
  return query === 'mql' && recent ? `${query} ${RECENT_WORD}` : query;
}

function queryLanguage(word: string): string | undefined {
  const language = word.toLowerCase();
  return QUERY_LANGUAGES.has(language) ? language : undefined;
}

function isWritable(language: string): boolean {
  return /^[\p{L}\p{N}][^\s`]*$/u.test(language);
}

/**
 * Pattern for the line before a text cell that couldn't be parsed as one cell without markers: an
 * empty cell, a cell directly after another text cell, or a cell that shows a query's syntax. The
 * markers are comments, which git hosts don't display.
 */
const BEGIN = /^<!-- text cell(| \d+) -->[ \t]*$/;

/** Returns the closing line that belongs to an opening line; undefined for other lines. */
export function findEndMarker(line: string): string | undefined {
  const number = BEGIN.exec(line)?.[1];
  return number === undefined ? undefined : endLine(number);
}

/** Returns the marker lines for a text cell, which differ from all lines in the cell itself. */
export function markersAround(lines: readonly string[]): readonly [begin: string, end: string] {
  const within = new Set(lines.map((line) => line.trimEnd()));
  let number = '';
  for (let next = 2; within.has(endLine(number)); next++) number = ` ${next}`;
  return [`<!-- text cell${number} -->`, endLine(number)];
}

function endLine(number: string): string {
  return `<!-- end of text cell${number} -->`;
}
