/**
 * Pieces of JSON, none of which has a line feed, as one text in which each stands between two: a
 * query finds any of them without knowing the others.
 */
export function textOfLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** The lines of a text that `textOfLines` made. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
