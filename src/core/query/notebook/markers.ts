/**
 * Lines around a text that would not be found again as one cell: an empty one, one right after another,
 * or one that shows how a query is written. They are comments, which a git host does not show.
 */
const BEGIN = /^<!-- text cell(| \d+) -->[ \t]*$/;

/** The line that ends what a line begins; absent when it begins nothing. */
export function endOfMarked(line: string): string | undefined {
  const number = BEGIN.exec(line)?.[1];
  return number === undefined ? undefined : endLine(number);
}

/** The lines before and after a text, of which it has none itself. */
export function markersAround(lines: readonly string[]): readonly [begin: string, end: string] {
  const within = new Set(lines.map((line) => line.trimEnd()));
  let number = '';
  for (let next = 2; within.has(endLine(number)); next++) number = ` ${next}`;
  return [`<!-- text cell${number} -->`, endLine(number)];
}

function endLine(number: string): string {
  return `<!-- end of text cell${number} -->`;
}
