import { type Block, blocksOf } from './blocks';
import { infoOf, marksAround, openingFence } from './fence';
import { endOfMarked, markersAround } from './markers';
import { type CellContent, isSameContent } from './notebookCell';
import type { NotebookCell, NotebookFile } from './notebookFile';
import { headerEnd } from './notebookHeader';
import { BYTE_ORDER_MARK, lineBreakIn, withLineFeeds } from './textLines';

/** Where a cell is to stand. */
interface Place {
  /** What the file begins with before its first cell, where that is no header; absent of others. */
  readonly head: string | undefined;
  /** Whether a cell that does not end by itself may end with the file. */
  readonly isLast: boolean;
  readonly isAfterPlainText: boolean;
  readonly lineBreak: string;
}

type Form = Block['form'];

/**
 * The text of a notebook. Cells that say what their source says are printed as it is, others in its
 * manner; what `readNotebook` makes of the text has the same cells.
 */
export function printNotebook({ head, cells, tail }: NotebookFile): string {
  const lineBreak = lineBreakOf({ head, cells, tail });
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

/** Returns whether the text ends in blanks without a line break, which would indent a cell printed after them. */
function endsInBlanks(text: string): boolean {
  return /[ \t]$/.test(text);
}

/** What ends the lines of a notebook. */
export function lineBreakOf({
  head,
  cells,
  tail,
}: Pick<NotebookFile, 'head' | 'tail'> & {
  readonly cells: readonly Pick<NotebookCell, 'source'>[];
}): string {
  const sources = cells.map(({ source }) => source ?? '');
  return lineBreakIn([head, ...sources, tail].join('')) ?? '\n';
}

function printCell(cell: NotebookCell, place: Place): { text: string; form: Form } {
  const content = { ...cell, text: withLineFeeds(cell.text) };
  const source = cell.source ?? '';
  const style = styleOf(source, content);
  const gap = style && gapFits(style.gap, place) ? style.gap : undefined;
  if (style && gap !== undefined && isSameContent(style.content, content) && mayStay(style, place))
    return { text: source, form: style.form };
  const { form, lines } = linesAround(content, style, place);
  const before = gap ?? (place.head !== undefined ? '' : place.lineBreak.repeat(2));
  const lineBreak = lineBreakIn(source) ?? place.lineBreak;
  return { text: before + lines.join(lineBreak), form };
}

/** How a cell was written; absent when its source is none of one such cell. */
function styleOf(source: string, { kind }: CellContent): Block | undefined {
  const [block, further] = blocksOf(source);
  const fits = block?.content.kind === kind && block.end === source.length && !further;
  return fits ? block : undefined;
}

/** Before all cells but the first of a file there is a line break. */
function gapFits(gap: string, { head }: Place): boolean {
  return head !== undefined ? gap === '' : lineBreakIn(gap) !== undefined;
}

function mayStay({ form, content, isClosed }: Block, place: Place): boolean {
  if (form === 'plain') return isPlain(content.text, place);
  return isClosed || place.isLast;
}

function linesAround(
  content: CellContent,
  style: Block | undefined,
  place: Place,
): { form: Form; lines: readonly string[] } {
  const lines = content.text === '' ? [] : content.text.split('\n');
  if (content.kind === 'code') {
    const [opening, closing] = fencesAround(content, style);
    return { form: 'fenced', lines: [opening, ...lines, closing] };
  }
  if (style?.form !== 'marked' && isPlain(content.text, place)) return { form: 'plain', lines };
  return { form: 'marked', lines: linesMarked(lines, style) };
}

/** The comments of a source as long as nothing within ends them. */
function linesMarked(lines: readonly string[], style: Block | undefined): readonly string[] {
  const [begin, end] = markersAround(lines);
  const ending = style?.form === 'marked' ? endOfMarked(style.opening) : undefined;
  if (!style || ending === undefined || lines.some((line) => line.trimEnd() === ending))
    return [begin, ...lines, end];
  return [style.opening, ...lines, style.isClosed ? style.closing : ending];
}

/** The fences of a source as long as they say the same and nothing within ends them. */
function fencesAround(
  content: Extract<CellContent, { kind: 'code' }>,
  style: Block | undefined,
): readonly [opening: string, closing: string] {
  const fence = style && openingFence(style.opening);
  const marks = marksAround(content.text, fence?.marks);
  const says =
    style?.content.kind === 'code' &&
    isSameContent({ ...style.content, text: '' }, { ...content, text: '' });
  const opening = marks + (fence && says ? fence.info : infoOf(content));
  const isKept = style?.isClosed && marks === fence?.marks;
  return [opening, isKept ? style.closing : marks];
}

/** Whether a text is found again as one cell without lines around it. */
function isPlain(text: string, { head, isLast, isAfterPlainText }: Place): boolean {
  const [block, further] = blocksOf(text);
  if (block?.form !== 'plain' || further || block.gap !== '' || block.end !== text.length)
    return false;
  const isHeadLike =
    head !== undefined &&
    (headerEnd(head + text) > 0 || (head === '' && text.startsWith(BYTE_ORDER_MARK)));
  return !isAfterPlainText && !isHeadLike && (block.isClosed || isLast);
}
