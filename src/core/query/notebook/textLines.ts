/** Some editors begin files with it. */
export const BYTE_ORDER_MARK = '\u{FEFF}';

const LINE_BREAK = /\r\n|\n|\r/;

/** A line of a text without what ends it. */
export interface TextLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines of a text from a place on. What ends the last one begins no further line. */
export function linesOf(text: string, from = 0): readonly TextLine[] {
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

/** What ends the first line, if anything does. */
export function lineBreakIn(text: string): string | undefined {
  return LINE_BREAK.exec(text)?.[0];
}

/** A text whose lines all end with a line feed, as editors hand out cells. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(new RegExp(LINE_BREAK, 'g'), '\n');
}

/** Whether there is nothing to see in a line, so that Markdown ends a paragraph there. */
export function isBlank({ text }: TextLine): boolean {
  return /^[ \t]*$/.test(text);
}

/** Whether a text has nothing but blank lines. */
export function isBlankText(text: string): boolean {
  return linesOf(text).every(isBlank);
}
