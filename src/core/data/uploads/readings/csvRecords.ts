import { CsvError, parse, type Parser } from 'csv-parse';
import { type Delimiter, ReadingsError } from './textFormat';

/**
 * Text of a quoted cell, for callers that need the distinction. Unquoted cells are plain strings.
 */
export interface QuotedText {
  readonly quoted: string;
}

export type CsvCell = string | QuotedText;

export interface CsvRecord {
  /** Number of the row's first line, starting at 1. */
  readonly line: number;
  readonly cells: readonly CsvCell[];
}

/**
 * Maximum length of a reading (4 MB). Without this limit, an unclosed quote would consume the rest
 * of a file.
 */
export const MAX_ROW_LENGTH = 4_000_000;

export interface CsvOptions {
  readonly delimiter: Delimiter;
  /** True to distinguish quoted cells from unquoted cells. */
  readonly marksQuotes: boolean;
}

/**
 * Yields a table's rows, only as fast as they are consumed. Skips empty lines.
 * @throws ReadingsError, and errors from reading the text.
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  { delimiter, marksQuotes }: CsvOptions,
): AsyncGenerator<CsvRecord> {
  // First line in the most recently parsed row. Earlier rows can still be queued.
  let reached = 1;
  const parser = parse({
    delimiter,
    // `\r\n` must be first, so that the second half of a line break doesn't count as another line.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record: (record: string[], { lines }) => {
      reached = lines + 1;
      return record;
    },
    ...(marksQuotes && {
      cast: (value: string, { quoting }: { readonly quoting: boolean }): CsvCell =>
        quoting ? { quoted: value } : value,
    }),
  });
  const fed = feed(parser, text);
  let line = 1;
  try {
    for await (const parsed of parser) {
      const { record, info } = parsed as { record: CsvCell[]; info: { lines: number } };
      yield { line, cells: record };
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError ? toReadingsError(error, reached) : error;
  } finally {
    parser.destroy();
    await fed;
  }
}

/**
 * Writes text to the parser with backpressure. Reports errors from reading the text as parser
 * errors.
 */
async function feed(parser: Parser, text: AsyncIterable<string>): Promise<void> {
  try {
    for await (const chunk of text) {
      if (parser.destroyed) return;
      if (chunk !== '' && !parser.write(chunk)) await drained(parser);
    }
    parser.end();
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function drained(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      parser.off('drain', go);
      parser.off('close', go);
      resolve();
    };
    parser.on('drain', go);
    parser.on('close', go);
  });
}

/**
 * @param line first line of the invalid row, because an unclosed quotation mark can span many
 *   lines.
 */
function toReadingsError(error: CsvError, line: number): ReadingsError {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return new ReadingsError({ kind: 'longRow', line }, error);
    case 'CSV_QUOTE_NOT_CLOSED':
      return new ReadingsError({ kind: 'openQuote', line }, error);
    default:
      return new ReadingsError({ kind: 'malformed', line, reason: error.message }, error);
  }
}
