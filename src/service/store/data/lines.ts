/**
 * Joins pieces of JSON, none of which contains a line feed, to a text in which each piece is
 * between two line feeds: a query can find any of them without knowing the others.
 */
export function textOfLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** Returns the lines of a text that `textOfLines` created. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
