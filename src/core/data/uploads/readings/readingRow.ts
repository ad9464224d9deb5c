import type { JsonObject } from '@bufbuild/protobuf';
import type { CellType, ColumnGuess } from './columnGuess';
import type { Delimiter } from './delimiterOf';
import type { TextEncoding } from './decodedText';
import type { TimeForm } from './captureTime';

/** Why one row becomes no reading. */
export type RowProblem = { readonly line: number } & (
  | { readonly kind: 'cells'; readonly found: number; readonly expected: number }
  | { readonly kind: 'time'; readonly text: string }
  | { readonly kind: 'json'; readonly reason: string }
  | { readonly kind: 'notObject' }
  | { readonly kind: 'overlap'; readonly column: string }
  | { readonly kind: 'size'; readonly bytes: number }
);

/** What a row is stored as. What the file does not tell is of all readings alike. */
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

/** What a row holds apart from its time. */
export type RowContent = Omit<ReadingRow, 'line' | 'at'>;

/** A row of a file, not yet made into anything. */
export interface SourceRow {
  readonly line: number;
  /** Why nothing can be made of it. */
  readonly problem?: RowProblem | undefined;
  /** What it has in the column of times. */
  timeText(column: string): string;
  /** Tells what is in it to those who find out the types of columns. */
  note(guesses: ColumnGuesses): void;
  /** What it holds, without its time. */
  content(types: ColumnTypes, timeColumn: string): RowContent | RowProblem;
}

export type ColumnTypes = ReadonlyMap<string, CellType>;
export type ColumnGuesses = ReadonlyMap<string, ColumnGuess>;

/** A file of readings, as its first rows show it. */
export interface ReadingsLayout {
  readonly format: 'csv' | 'ndjson';
  readonly encoding: TextEncoding;
  /** Of tables. */
  readonly delimiter?: Delimiter | undefined;
  /** Whether this product exported it: then the rows tell their resources and the types of their values. */
  readonly isExport: boolean;
  /** Names as the file has them; of objects, the paths that the first rows have. */
  readonly columns: readonly string[];
  /** The columns that may be the time, and how they tell it; the likeliest first. */
  readonly times: ReadonlyMap<string, TimeForm>;
  rows(signal: AbortSignal): AsyncGenerator<SourceRow>;
}

export function isProblem(result: RowContent | RowProblem): result is RowProblem {
  return 'kind' in result;
}
