export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const LOOKED_AT = 10;

/**
 * Detects the cell delimiter of a table from its first lines. This is the delimiter that splits all
 * of the lines into the same number of cells, and into the most cells. A table with one column has
 * no delimiter and is parsed with commas.
 */
export function detectDelimiter(text: string): Delimiter {
  const lines = wholeLines(text);
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => occurrences(line, delimiter));
    const [inHeader = 0] = counts;
    const alike = counts.filter((count) => count === inHeader).length;
    // Decimal commas occur in lines, but not in the header.
    const score = inHeader === 0 ? 0 : (alike / counts.length) * 1_000 + inHeader;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/**
 * Returns the first lines, ignoring line breaks within quotes. The last line can be incomplete and
 * is included only if there is no other line.
 */
function wholeLines(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length && lines.length < LOOKED_AT; index += 1) {
    const sign = text[index];
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === '\n' || sign === '\r')) {
      if (index > start) lines.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return lines.length === 0 ? [text.slice(start)] : lines;
}

function occurrences(line: string, delimiter: Delimiter): number {
  let count = 0;
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === delimiter) count += 1;
  }
  return count;
}
