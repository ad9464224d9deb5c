/**
 * Joins JSON strings that contain no line feeds into one text, in which each string is between two
 * line feeds. A query can then find any of the strings without knowing the others.
 */
export function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** Returns the strings in a text that `joinLines` created. */
export function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
