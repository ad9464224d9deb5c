import { formatJson, formatPlainValue } from './formatCell';
import { guardFormula } from '../export/recordWriter';
import type { DataValue } from './dataValue';

export type CopyFormat = 'tsv' | 'json' | 'markdown';

/** Limits on the amount of data to copy, so that programs can paste it without delay. */
export interface CopyLimits {
  readonly rows: number;
  readonly characters: number;
}

/** Column to copy, with its name for files and the clipboard. */
export interface CopiedColumn<Row> {
  readonly name: string;
  readonly valueIn: (row: Row) => DataValue | undefined;
}

export interface CopiedRows {
  readonly text: string;
  /** Number of copied rows, which is less than the total if the limit is exceeded. */
  readonly rows: number;
}

/**
 * Formats rows as text with column names: as cells for a spreadsheet, a JSON array, or a Markdown
 * table.
 */
export function copyRows<Row>(
  rows: readonly Row[],
  columns: readonly CopiedColumn<Row>[],
  format: CopyFormat,
  limits: CopyLimits,
): CopiedRows {
  const lines: string[] = [];
  let left = limits.characters;
  for (const row of rows) {
    const line = LINES[format](row, columns);
    left -= line.length;
    if (lines.length > 0 && (lines.length >= limits.rows || left < 0)) break;
    lines.push(line);
  }
  return { text: joinLines(lines, columns, format), rows: lines.length };
}

type WriteLine = <Row>(row: Row, columns: readonly CopiedColumn<Row>[]) => string;

const LINES: Readonly<Record<CopyFormat, WriteLine>> = {
  tsv: tsvLine,
  json: jsonLine,
  markdown: markdownLine,
};

function joinLines<Row>(
  lines: readonly string[],
  columns: readonly CopiedColumn<Row>[],
  format: CopyFormat,
): string {
  const names = columns.map(({ name }) => name);
  switch (format) {
    case 'tsv':
      return [names.map(toCell).join('\t'), ...lines].join('\n');
    case 'json':
      return `[\n${lines.join(',\n')}\n]`;
    case 'markdown':
      return [markdownCells(names), `|${' --- |'.repeat(names.length)}`, ...lines, ''].join('\n');
  }
}

function tsvLine<Row>(row: Row, columns: readonly CopiedColumn<Row>[]): string {
  return columns
    .map(({ valueIn }) => {
      const value = valueIn(row);
      if (typeof value === 'string') return toCell(value);
      return value === undefined ? '' : oneLine(formatPlainValue(value));
    })
    .join('\t');
}

function markdownLine<Row>(row: Row, columns: readonly CopiedColumn<Row>[]): string {
  return markdownCells(
    columns.map(({ valueIn }) => {
      const value = valueIn(row);
      return value === undefined ? '' : formatPlainValue(value);
    }),
  );
}

function markdownCells(texts: readonly string[]): string {
  return `| ${texts.map(escapeMarkdown).join(' | ')} |`;
}

/** Characters that start a link, emphasis, code, HTML, or a formula, or that end a cell. */
const MARKDOWN_SIGNS = /[\\`*_[\]<>|~&$]/g;

/**
 * Escapes text for a cell in a Markdown table. Converts line breaks to HTML, which is the only HTML
 * in the cell.
 */
function escapeMarkdown(text: string): string {
  return text
    .trim()
    .replaceAll(MARKDOWN_SIGNS, String.raw`\$&`)
    .replaceAll(/\r\n|[\r\n]/g, '<br>')
    .replaceAll('\t', ' ');
}

function jsonLine<Row>(row: Row, columns: readonly CopiedColumn<Row>[]): string {
  const cells = columns.flatMap(({ name, valueIn }): [string, DataValue][] => {
    const value = valueIn(row);
    return value === undefined ? [] : [[name, value]];
  });
  return formatJson(Object.fromEntries(cells));
}

/** Quotation marks at the start of a cell, which a spreadsheet removes when it pastes the cell. */
const LEADING_QUOTES = /^"+/;

/**
 * Converts text to a cell. Neutralizes formulas as the CSV export does: pasting the cells into a
 * spreadsheet is as dangerous as opening a file, because the text comes from machines. A single
 * copied cell isn't changed, because it is also pasted into filters and queries, where it must
 * match exactly. Neither are JSON and Markdown, which no spreadsheet interprets.
 */
function toCell(text: string): string {
  const bare = text.replace(LEADING_QUOTES, '');
  return oneLine(guardFormula(bare) === bare ? text : `'${text}`);
}

/**
 * Converts characters that would end a cell or a row to spaces, because no quoting method works in
 * all programs.
 */
function oneLine(text: string): string {
  return text.replaceAll(/\r\n|[\t\r\n]/g, ' ');
}
