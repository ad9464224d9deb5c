/**
 * Joins pieces of JSON, none of which contains a line feed, to a text in which each piece is
 * between two line feeds: a query can find any of them without knowing the others.
 */
export function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** Returns the lines of a text that `joinLines` created. */
export function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
