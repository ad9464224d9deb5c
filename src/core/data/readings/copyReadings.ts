import type { JsonObject } from '@bufbuild/protobuf';
import type { Reading } from '../../model/reading';
import { jsonText } from './cellText';
import { columnName, type TableColumn, valueIn } from './tableColumn';

export type CopyFormat = 'tsv' | 'json';

/** What programs take from the clipboard without a pause. */
export interface CopyLimits {
  readonly rows: number;
  readonly characters: number;
}

export interface CopiedReadings {
  readonly text: string;
  /** How many rows the text has: the first ones, when not all may be copied. */
  readonly rows: number;
}

/** Readings as text with their columns' names: lines of cells for a spreadsheet, or a JSON array. */
export function copyReadings(
  readings: readonly Reading[],
  columns: readonly TableColumn[],
  format: CopyFormat,
  limits: CopyLimits,
): CopiedReadings {
  const names = columns.map(columnName);
  const lines: string[] = [];
  let left = limits.characters;
  for (const reading of readings) {
    const line = format === 'tsv' ? tsvLine(reading, columns) : jsonLine(reading, columns, names);
    left -= line.length;
    if (lines.length > 0 && (lines.length >= limits.rows || left < 0)) break;
    lines.push(line);
  }
  const text =
    format === 'tsv' ? [names.map(plain).join('\t'), ...lines].join('\n') : arrayOf(lines);
  return { text, rows: lines.length };
}

function arrayOf(lines: readonly string[]): string {
  return `[\n${lines.join(',\n')}\n]`;
}

function tsvLine(reading: Reading, columns: readonly TableColumn[]): string {
  return columns
    .map((column) => {
      const value = valueIn(reading, column);
      if (value === undefined) return '';
      return plain(typeof value === 'string' ? value : jsonText(value));
    })
    .join('\t');
}

function jsonLine(
  reading: Reading,
  columns: readonly TableColumn[],
  names: readonly string[],
): string {
  const cells: JsonObject = {};
  columns.forEach((column, index) => {
    const value = valueIn(reading, column);
    if (value !== undefined) cells[names[index] ?? ''] = value;
  });
  return jsonText(cells);
}

/** What would end a cell or a row becomes a space: there are no quotation marks that all programs heed. */
function plain(text: string): string {
  return text.replaceAll(/\r\n|[\t\r\n]/g, ' ');
}
