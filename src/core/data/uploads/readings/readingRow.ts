import type { JsonObject } from '@bufbuild/protobuf';
import type { CellType, ColumnTypeDetector } from './columnGuess';
import type { Delimiter, TextEncoding } from './textFormat';
import { type AssumedZone, parseMicros, type TimeForm } from './captureTime';
import { MAX_ROW_LENGTH } from './csvRecords';

/** Reason that a row can't become a reading. */
export type RowProblem = { readonly line: number } & (
  | { readonly kind: 'cells'; readonly found: number; readonly expected: number }
  | { readonly kind: 'time'; readonly text: string }
  | { readonly kind: 'json'; readonly reason: string }
  | { readonly kind: 'notObject' }
  | { readonly kind: 'overlap'; readonly column: string }
  | { readonly kind: 'size'; readonly bytes: number }
);

/**
 * Row in its stored form. Fields that the file doesn't specify have the same values for all
 * readings.
 */
export interface ReadingRow {
  readonly line: number;
  /** Microseconds since 1970. */
  readonly at: number;
  readonly data: JsonObject;
  readonly component?: string | undefined;
  readonly componentType?: string | undefined;
  readonly method?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A row's contents except its time. */
export type RowContent = Omit<ReadingRow, 'line' | 'at'>;

/** Row in a file before its conversion to a reading. */
export interface SourceRow {
  readonly line: number;
  /** Reason that the row can't be parsed. */
  readonly problem?: RowProblem | undefined;
  /** Returns the text in the time column. */
  timeText(column: string): string;
  /** Passes the row's values to the columns' type detectors. */
  note(detectors: ColumnTypeDetectors): void;
  /** Returns the row's contents without its time. */
  content(types: ColumnTypes, timeColumn: string): RowContent | RowProblem;
}

export type ColumnTypes = ReadonlyMap<string, CellType>;
export type ColumnTypeDetectors = ReadonlyMap<string, ColumnTypeDetector>;

/** Layout of a readings file, inferred from its first rows. */
export interface ReadingsLayout {
  readonly format: 'csv' | 'ndjson';
  readonly encoding: TextEncoding;
  /** Cell delimiter; only for tables. */
  readonly delimiter?: Delimiter | undefined;
  /** True if this product exported the file, so that its rows specify their resources and types. */
  readonly isExport: boolean;
  /** Column names in a table, or paths in the first rows of JSON lines. */
  readonly columns: readonly string[];
  /** Columns that can contain the time, with their formats, the most likely one first. */
  readonly times: ReadonlyMap<string, TimeForm>;
  rows(signal: AbortSignal): AsyncGenerator<SourceRow>;
}

function isProblem(result: RowContent | RowProblem): result is RowProblem {
  return 'kind' in result;
}

/** A file's time column and its format. */
export interface TimeChoice {
  readonly column: string;
  readonly form: TimeForm;
  /** Time zone for times that don't specify one. */
  readonly zone: AssumedZone;
}

/**
 * Reading that was converted from a row, with its size as JSON in bytes; or the reason that the row
 * isn't a valid reading.
 */
export type RowResult =
  | { readonly row: ReadingRow; readonly bytes: number }
  | { readonly problem: RowProblem };

/** Converts a row to its stored form. */
export function toReading(source: SourceRow, time: TimeChoice, types: ColumnTypes): RowResult {
  const { line, problem } = source;
  if (problem) return { problem };
  const text = source.timeText(time.column);
  const at = parseMicros(text, time.form, time.zone);
  if (at === undefined) return { problem: { line, kind: 'time', text } };
  const content = source.content(types, time.column);
  if (isProblem(content)) return { problem: content };
  const bytes = Buffer.byteLength(JSON.stringify(content.data));
  if (bytes > MAX_ROW_LENGTH) return { problem: { line, kind: 'size', bytes } };
  return { row: { line, at, ...content }, bytes };
}
