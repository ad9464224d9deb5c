import type { DataObject, DataValue } from '../tables/dataValue';

/** How records become the lines of a file: what is known of every one, and what is within it. */
export interface RecordLayout<Record> {
  /** Names of the first columns, which every record has. */
  readonly fixed: readonly string[];
  /** What stands in those columns; undefined for nothing. */
  readonly fixedValues: (record: Record) => readonly (DataValue | undefined)[];
  /** What the names of all other columns begin with; may be empty. */
  readonly root: string;
  /** What has those columns. */
  readonly data: (record: Record) => DataObject;
  /** The name of the last column, for what has none of its own because there are too many: one JSON object. */
  readonly further: string;
  /** Records as JSON, each on one line, with this text between them. */
  readonly json: (records: readonly Record[], between: string) => Uint8Array;
}
