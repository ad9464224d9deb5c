/**
 * Lines around a text that couldn't be parsed as one cell without them: an empty one, one directly
 * after another, or one that shows the syntax of a query. They are comments, which git hosts don't
 * display.
 */
const BEGIN = /^<!-- text cell(| \d+) -->[ \t]*$/;

/** Returns the closing line for an opening one; undefined for other lines. */
export function findEndMarker(line: string): string | undefined {
  const number = BEGIN.exec(line)?.[1];
  return number === undefined ? undefined : endLine(number);
}

/** Returns the lines around a text, different from all of its own lines. */
export function markersAround(lines: readonly string[]): readonly [begin: string, end: string] {
  const within = new Set(lines.map((line) => line.trimEnd()));
  let number = '';
  for (let next = 2; within.has(endLine(number)); next++) number = ` ${next}`;
  return [`<!-- text cell${number} -->`, endLine(number)];
}

function endLine(number: string): string {
  return `<!-- end of text cell${number} -->`;
}
