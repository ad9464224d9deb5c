import { type CellContent, parseBlocks } from './blocks';
import { headerEnd } from './notebookHeader';
import { BYTE_ORDER_MARK, isBlank, splitLines } from './textLines';

/** Cell with its source in the file, so that unchanged cells are preserved byte for byte. */
export type NotebookCell = CellContent & {
  /**
   * Source text from the end of the previous cell to the end of this cell; absent for a cell that
   * isn't in a file yet.
   */
  readonly source?: string | undefined;
};

/**
 * Notebook file: Markdown in which `sql` and `mql` code blocks are cells. Can be read on any git
 * host and compared line by line.
 */
export interface NotebookFile {
  /** Text before the first cell: the header, or blank lines. */
  readonly head: string;
  readonly cells: readonly NotebookCell[];
  /** Text after the last cell. */
  readonly tail: string;
}

/** Parses a notebook. Accepts any text, because everything that isn't a query is Markdown. */
export function readNotebook(text: string): NotebookFile {
  const from = headEnd(text);
  const blocks = parseBlocks(text, from);
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
  const first = splitLines(text, from).find((line) => !isBlank(line));
  return first?.start ?? text.length;
}
