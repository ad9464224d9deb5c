import { type AssumedZone, parseMicros, type TimeForm } from './captureTime';
import { MAX_ROW_LENGTH } from './csvRecords';
import {
  type ColumnTypes,
  isProblem,
  type ReadingRow,
  type RowProblem,
  type SourceRow,
} from './readingRow';

/** Time column of a file and its format. */
export interface TimeChoice {
  readonly column: string;
  readonly form: TimeForm;
  /** Time zone for times that don't specify one. */
  readonly zone: AssumedZone;
}

/**
 * Reading from a row and its size as JSON in bytes, or the reason why the row isn't a valid
 * reading.
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
