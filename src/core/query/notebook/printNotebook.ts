import {
  type Block,
  type CellContent,
  findEndMarker,
  formatFenceInfo,
  isSameContent,
  markersAround,
  marksAround,
  openingFence,
  parseBlocks,
} from './blocks';
import type { NotebookCell, NotebookFile } from './notebookFile';
import { headerEnd } from './notebookHeader';
import { BYTE_ORDER_MARK, lineBreakIn, withLineFeeds } from './textLines';

/** Position in the file at which a cell is printed. */
interface CellContext {
  /** The file's text before its first cell if that text isn't a header; absent for other cells. */
  readonly head: string | undefined;
  /** True for the last cell of the file, which needs no explicit end. */
  readonly isLast: boolean;
  readonly isAfterPlainText: boolean;
  readonly lineBreak: string;
}

type Form = Block['form'];

/**
 * Formats a notebook. Prints unchanged cells exactly as in their source, and changed cells in the
 * style of their source. Parsing the result with `readNotebook` returns the same cells.
 */
export function printNotebook({ head, cells, tail }: NotebookFile): string {
  const lineBreak = detectLineBreak({ head, cells, tail });
  const isHeadless = headerEnd(head) === 0;
  const printed: { readonly text: string; readonly form: Form }[] = [];
  for (const [at, cell] of cells.entries()) {
    printed.push(
      printCell(cell, {
        head: at === 0 && isHeadless ? head : undefined,
        isLast: at === cells.length - 1,
        isAfterPlainText: printed.at(-1)?.form === 'plain',
        lineBreak,
      }),
    );
  }
  const isHeadOpen = isHeadless && cells.length > 0 && endsInBlanks(head);
  const text = head + (isHeadOpen ? lineBreak : '') + printed.map((cell) => cell.text).join('');
  const isNewAtEnd = tail === '' && cells.length > 0 && cells.at(-1)?.source === undefined;
  return text + (isNewAtEnd ? lineBreak : tail);
}

/**
 * Returns true if the text ends with blanks that aren't followed by a line break. The blanks would
 * indent a cell that is printed after them.
 */
function endsInBlanks(text: string): boolean {
  return /[ \t]$/.test(text);
}

/** Returns the line break that a notebook uses. */
export function detectLineBreak({
  head,
  cells,
  tail,
}: Pick<NotebookFile, 'head' | 'tail'> & {
  readonly cells: readonly Pick<NotebookCell, 'source'>[];
}): string {
  const sources = cells.map(({ source }) => source ?? '');
  return lineBreakIn([head, ...sources, tail].join('')) ?? '\n';
}

function printCell(cell: NotebookCell, context: CellContext): { text: string; form: Form } {
  const content = { ...cell, text: withLineFeeds(cell.text) };
  const source = cell.source ?? '';
  const style = findWrittenBlock(source, content);
  const gap = style && gapFits(style.gap, context) ? style.gap : undefined;
  if (
    style &&
    gap !== undefined &&
    isSameContent(style.content, content) &&
    canStay(style, context)
  ) {
    return { text: source, form: style.form };
  }
  const { form, lines } = linesAround(content, style, context);
  const before = gap ?? (context.head !== undefined ? '' : context.lineBreak.repeat(2));
  const lineBreak = lineBreakIn(source) ?? context.lineBreak;
  return { text: before + lines.join(lineBreak), form };
}

/**
 * Parses a cell's source to determine its style; returns undefined if the source isn't exactly one
 * cell of this kind.
 */
function findWrittenBlock(source: string, { kind }: CellContent): Block | undefined {
  const [block, further] = parseBlocks(source);
  const fits = block?.content.kind === kind && block.end === source.length && !further;
  return fits ? block : undefined;
}

/**
 * Returns true if the gap before a cell is valid. Every cell except the first one in a file must
 * follow a line break.
 */
function gapFits(gap: string, { head }: CellContext): boolean {
  return head !== undefined ? gap === '' : lineBreakIn(gap) !== undefined;
}

function canStay({ form, content, isClosed }: Block, context: CellContext): boolean {
  if (form === 'plain') return isPlain(content.text, context);
  return isClosed || context.isLast;
}

function linesAround(
  content: CellContent,
  style: Block | undefined,
  context: CellContext,
): { form: Form; lines: readonly string[] } {
  const lines = content.text === '' ? [] : content.text.split('\n');
  if (content.kind === 'code') {
    const [opening, closing] = fencesAround(content, style);
    return { form: 'fenced', lines: [opening, ...lines, closing] };
  }
  if (style?.form !== 'marked' && isPlain(content.text, context)) return { form: 'plain', lines };
  return { form: 'marked', lines: linesMarked(lines, style) };
}

/**
 * Adds marker lines to the lines in a text cell. Uses the markers in the source, unless a line in
 * the content would close them.
 */
function linesMarked(lines: readonly string[], style: Block | undefined): readonly string[] {
  const [begin, end] = markersAround(lines);
  const ending = style?.form === 'marked' ? findEndMarker(style.opening) : undefined;
  if (!style || ending === undefined || lines.some((line) => line.trimEnd() === ending)) {
    return [begin, ...lines, end];
  }
  return [style.opening, ...lines, style.isClosed ? style.closing : ending];
}

/**
 * Returns the fences for a cell. Uses the fences in the source, unless their meaning has changed or
 * a line in the content would close them.
 */
function fencesAround(
  content: Extract<CellContent, { kind: 'code' }>,
  style: Block | undefined,
): readonly [opening: string, closing: string] {
  const fence = style && openingFence(style.opening);
  const marks = marksAround(content.text, fence?.marks);
  const says =
    style?.content.kind === 'code' &&
    isSameContent({ ...style.content, text: '' }, { ...content, text: '' });
  const opening = marks + (fence && says ? fence.info : formatFenceInfo(content));
  const isReusable = style?.isClosed && marks === fence?.marks;
  return [opening, isReusable ? style.closing : marks];
}

/** Returns true if the text can be parsed as one cell without markers. */
function isPlain(text: string, { head, isLast, isAfterPlainText }: CellContext): boolean {
  const [block, further] = parseBlocks(text);
  if (block?.form !== 'plain' || further || block.gap !== '' || block.end !== text.length) {
    return false;
  }
  const isHeadLike =
    head !== undefined &&
    (headerEnd(head + text) > 0 || (head === '' && text.startsWith(BYTE_ORDER_MARK)));
  return !isAfterPlainText && !isHeadLike && (block.isClosed || isLast);
}
