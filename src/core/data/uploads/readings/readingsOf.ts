import { type AssumedZone, microsOfTime, type TimeForm } from './captureTime';
import { LONGEST_ROW } from './csvRecords';
import {
  type ColumnTypes,
  isProblem,
  type ReadingRow,
  type RowProblem,
  type SourceRow,
} from './readingRow';

/** Where a file's rows have their times. */
export interface TimeChoice {
  readonly column: string;
  readonly form: TimeForm;
  /** Of times that tell no zone. */
  readonly zone: AssumedZone;
}

/** A reading that a row becomes and its size as JSON in bytes, or why it becomes none. */
export type RowResult =
  | { readonly row: ReadingRow; readonly bytes: number }
  | { readonly problem: RowProblem };

/** What a row is stored as. */
export function readingOf(source: SourceRow, time: TimeChoice, types: ColumnTypes): RowResult {
  const { line, problem } = source;
  if (problem) return { problem };
  const text = source.timeText(time.column);
  const at = microsOfTime(text, time.form, time.zone);
  if (at === undefined) return { problem: { line, kind: 'time', text } };
  const content = source.content(types, time.column);
  if (isProblem(content)) return { problem: content };
  const bytes = Buffer.byteLength(JSON.stringify(content.data));
  if (bytes > LONGEST_ROW) return { problem: { line, kind: 'size', bytes } };
  return { row: { line, at, ...content }, bytes };
}
