/** Byte order mark, which some editors write at the start of files. */
export const BYTE_ORDER_MARK = '\u{FEFF}';

const LINE_BREAK = /\r\n|\n|\r/;

/** Line of text without its line break. */
export interface TextLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Splits text into lines, starting at an offset. A line break at the end doesn't start another
 * line.
 */
export function splitLines(text: string, from = 0): readonly TextLine[] {
  const lines: TextLine[] = [];
  let start = from;
  for (const { index, 0: ending } of text.slice(from).matchAll(new RegExp(LINE_BREAK, 'g'))) {
    const end = from + index;
    lines.push({ text: text.slice(start, end), start, end });
    start = end + ending.length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), start, end: text.length });
  return lines;
}

/** Returns the first line break in the text; undefined if there is none. */
export function lineBreakIn(text: string): string | undefined {
  return LINE_BREAK.exec(text)?.[0];
}

/** Converts line breaks to line feeds, as in the cells of editors. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(new RegExp(LINE_BREAK, 'g'), '\n');
}

/** Returns true for a blank line, which ends a paragraph in Markdown. */
export function isBlank({ text }: TextLine): boolean {
  return /^[ \t]*$/.test(text);
}
