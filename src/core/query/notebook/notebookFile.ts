import { blocksOf } from './blocks';
import type { CellContent } from './notebookCell';
import { headerEnd } from './notebookHeader';
import { BYTE_ORDER_MARK, isBlank, linesOf } from './textLines';

/** A cell with how a file has it, so that what nobody changed stays as it is, byte for byte. */
export type NotebookCell = CellContent & {
  /** From the end of the cell before to the end of this one; absent of a cell that is in no file. */
  readonly source?: string | undefined;
};

/**
 * A notebook as a file has it: Markdown, in which blocks of code in `sql` and `mql` are cells. It reads
 * well on any git host, and its changes are changes of lines.
 */
export interface NotebookFile {
  /** What stands before the first cell: the header, or else blank lines. */
  readonly head: string;
  readonly cells: readonly NotebookCell[];
  /** What stands after the last cell. */
  readonly tail: string;
}

/** Reads any text: what is no query is Markdown. */
export function readNotebook(text: string): NotebookFile {
  const from = headEnd(text);
  const blocks = blocksOf(text, from);
  const starts = [from, ...blocks.map(({ end }) => end)];
  return {
    head: text.slice(0, from),
    cells: blocks.map(({ content, end }, at) => ({
      ...content,
      source: text.slice(starts[at], end),
    })),
    tail: text.slice(starts.at(-1)),
  };
}

function headEnd(text: string): number {
  const header = headerEnd(text);
  if (header > 0) return header;
  const from = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const first = linesOf(text, from).find((line) => !isBlank(line));
  return first?.start ?? text.length;
}
