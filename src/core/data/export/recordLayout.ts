import type { DataObject, DataValue } from '../tables/dataValue';

/** Mapping of records to the lines of a file: common fields and payload. */
export interface RecordLayout<Record> {
  /** Names of the first columns, for which every record has a field. */
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
