import type { DataObject, DataValue } from '../tables/dataValue';

/** Writes records to a file in order of arrival. */
export interface RecordWriter<Record> {
  write(records: readonly Record[]): Promise<void>;
  /** Completes the file. @throws the signal's reason when it aborts first. */
  end(signal: AbortSignal): Promise<void>;
}

/** Mapping from records to the lines in a file: common fields and payload. */
export interface RecordLayout<Record> {
  /** Names of the first columns. Every record has a field for each of these columns. */
  readonly fixed: readonly string[];
  /** Returns the values of the first columns; undefined for an empty cell. */
  readonly fixedValues: (record: Record) => readonly (DataValue | undefined)[];
  /** Prefix for the names of all other columns; can be empty. */
  readonly root: string;
  /** Returns the object that contains the values of all other columns. */
  readonly data: (record: Record) => DataObject;
  /**
   * Name of the last column, which contains the values beyond the column limit as one JSON object.
   */
  readonly overflowName: string;
  /** Formats records as JSON, one per line, with the given separator between them. */
  readonly json: (records: readonly Record[], between: string) => Uint8Array;
}

/** File that becomes visible to other programs only when it is complete. */
export interface ExportFile {
  /** Appends bytes. Resolves when the file can accept more. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Replaces the written content with new content, which is derived from the bytes after an offset.
   */
  rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void>;
}

/**
 * Characters that start a formula in programs that open CSV as a spreadsheet, including the
 * full-width characters of East Asian input.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
/** Plain numbers, which can start like a formula. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns text that no spreadsheet program interprets as a formula. The input is untrusted, and
 * formulas can send the contents of a spreadsheet to other computers. Adds a leading apostrophe, as
 * OWASP recommends (https://owasp.org/www-community/attacks/CSV_Injection). Doesn't change numbers.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
