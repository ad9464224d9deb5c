import { plainText } from './cellText';
import type { DataValue } from './dataValue';
import { jsonText } from './jsonText';

export type CopyFormat = 'tsv' | 'json';

/** What programs take from the clipboard without a pause. */
export interface CopyLimits {
  readonly rows: number;
  readonly characters: number;
}

/** A column that is copied, with its name for files and the clipboard. */
export interface CopiedColumn<Row> {
  readonly name: string;
  readonly valueIn: (row: Row) => DataValue | undefined;
}

export interface CopiedRows {
  readonly text: string;
  /** How many rows the text has: the first ones, when not all may be copied. */
  readonly rows: number;
}

/** Rows as text with their columns' names: lines of cells for a spreadsheet, or a JSON array. */
export function copyRows<Row>(
  rows: readonly Row[],
  columns: readonly CopiedColumn<Row>[],
  format: CopyFormat,
  limits: CopyLimits,
): CopiedRows {
  const lines: string[] = [];
  let left = limits.characters;
  for (const row of rows) {
    const line = format === 'tsv' ? tsvLine(row, columns) : jsonLine(row, columns);
    left -= line.length;
    if (lines.length > 0 && (lines.length >= limits.rows || left < 0)) break;
    lines.push(line);
  }
  const names = columns.map(({ name }) => oneLine(name)).join('\t');
  const text = format === 'tsv' ? [names, ...lines].join('\n') : `[\n${lines.join(',\n')}\n]`;
  return { text, rows: lines.length };
}

function tsvLine<Row>(row: Row, columns: readonly CopiedColumn<Row>[]): string {
  return columns
    .map(({ valueIn }) => {
      const value = valueIn(row);
      return value === undefined ? '' : oneLine(plainText(value));
    })
    .join('\t');
}

function jsonLine<Row>(row: Row, columns: readonly CopiedColumn<Row>[]): string {
  const cells = columns.flatMap(({ name, valueIn }): [string, DataValue][] => {
    const value = valueIn(row);
    return value === undefined ? [] : [[name, value]];
  });
  return jsonText(Object.fromEntries(cells));
}

/** What would end a cell or a row becomes a space: there are no quotation marks that all programs heed. */
function oneLine(text: string): string {
  return text.replaceAll(/\r\n|[\t\r\n]/g, ' ');
}
