/**
 * Pattern of the line before a text that couldn't be parsed as one cell without markers: an empty
 * text, a text directly after another one, or a text that shows the syntax of a query. The markers
 * are comments, which git hosts don't display.
 */
const BEGIN = /^<!-- text cell(| \d+) -->[ \t]*$/;

/** Returns the closing line that belongs to an opening line; undefined for other lines. */
export function findEndMarker(line: string): string | undefined {
  const number = BEGIN.exec(line)?.[1];
  return number === undefined ? undefined : endLine(number);
}

/** Returns the marker lines for a text, which differ from all lines of the text itself. */
export function markersAround(lines: readonly string[]): readonly [begin: string, end: string] {
  const within = new Set(lines.map((line) => line.trimEnd()));
  let number = '';
  for (let next = 2; within.has(endLine(number)); next++) number = ` ${next}`;
  return [`<!-- text cell${number} -->`, endLine(number)];
}

function endLine(number: string): string {
  return `<!-- end of text cell${number} -->`;
}
