import type { DataShape, DeletedReadings, ReadingsFiles } from './readingsFiles';

/** What a query process is asked to do, once. */
export type QueryJob = SqlJob | PipelineJob | SealJob | MergeJob;

/** Answers a SELECT over the table `readings`: a BSON document for each row. */
export interface SqlJob {
  kind: 'sql';
  sql: string;
  readings: ReadingsFiles;
}

/** Runs an aggregation pipeline over the collection `readings`: the BSON documents of its result. */
export interface PipelineJob {
  kind: 'pipeline';
  /** A BSON document for each stage. */
  stages: readonly Uint8Array[];
  readings: ReadingsFiles;
}

/** Writes readings to a new file: one document, a `WrittenFile`. */
export interface SealJob {
  kind: 'seal';
  /** JSON lines, each an object with the columns of the files; times are in microseconds. */
  source: string;
  /** The Parquet file to make; it must not exist. */
  target: string;
}

/** Writes what is not deleted of several files to a new one: one document, a `WrittenFile`. */
export interface MergeJob {
  kind: 'merge';
  sources: readonly string[];
  deletions: readonly DeletedReadings[];
  target: string;
}

/** What is known of a file that was just written. No file is left when it would have no rows. */
export interface WrittenFile {
  rowCount: number;
  byteCount: number;
  shape: DataShape;
}
