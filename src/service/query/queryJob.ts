import type { DeletedReadings, ReadingsFiles } from './readingsFiles';

/** What a query process is asked to do, once. */
export type QueryJob = SqlJob | PipelineJob | SealJob | MergeJob | CheckJob;

/** Answers a SELECT over the table `readings`: a BSON document for each row. */
export interface SqlJob {
  kind: 'sql';
  sql: string;
  /**
   * Whether decimals are written with the zeros at their end, and times finer than milliseconds, and
   * dates, as `EXACT_TIME` has them.
   */
  exactValues?: boolean;
  readings: ReadingsFiles;
}

/** Runs an aggregation pipeline over the collection `readings`: the BSON documents of its result. */
export interface PipelineJob {
  kind: 'pipeline';
  /** A BSON document for each stage. */
  stages: readonly Uint8Array[];
  /** Whether readings have an `_id`: the ID of the reading in the record store. */
  hasIds?: boolean;
  /** BSON documents that the stages run on instead of the readings. */
  documents?: readonly Uint8Array[] | undefined;
  /** Answers how the pipeline would run, a `PipelinePlan`, and reads nothing. */
  explain?: boolean;
  readings: ReadingsFiles;
}

/** How a pipeline runs. */
export interface PipelinePlan {
  /** How many of the first stages run in SQL; the others run in memory, on its results. */
  sqlStages: number;
}

/** Writes readings to new files, one for each day: a `WrittenFile` for each. */
export interface SealJob {
  kind: 'seal';
  /**
   * JSON lines, one for each reading: `id`, `series_id`, `day` (whole UTC days since the Unix epoch),
   * `synced_at`, `requested_at` and `received_at` (microseconds since then), and `data`, an object.
   */
  readings: string;
  /**
   * JSON lines, one for each of their series: `series_id`, the columns of the files that are told of a
   * series, and `additional_parameters`, an object.
   */
  series: string;
  /** The folder of the files to make. */
  directory: string;
  /** What their names begin with: a day and an extension follow. */
  prefix: string;
}

/** Writes what is not deleted of several files to a new one: a `WrittenFile`, or nothing. */
export interface MergeJob {
  kind: 'merge';
  directory: string;
  /** Names of the files, which are of one day. */
  sources: readonly string[];
  day: number;
  /** Whether to put the rows in order, which takes room; otherwise the files follow each other. */
  ordered: boolean;
  deletions: readonly DeletedReadings[];
  /** As in a `SealJob`. */
  prefix: string;
}

/** Reads all of several files: a `DamagedFile` for each that can't be read. */
export interface CheckJob {
  kind: 'check';
  directory: string;
  /** Names of the files. */
  files: readonly string[];
}

export interface DamagedFile {
  name: string;
}

/** A file that was just written, and is safe on the disk. None is written when it would be empty. */
export interface WrittenFile {
  name: string;
  /** Whole UTC days since the Unix epoch. */
  day: number;
  rowCount: number;
  byteCount: number;
  /** When the service stored the latest of its readings, in microseconds since the Unix epoch. */
  lastSyncedAt: number;
  /** JSON form of its `DataShape`; absent after a merge, whose sources tell it. */
  shape?: string;
}
