import type { DeletedReadings, ReadingsFiles } from './readingsFiles';

/** A job for a query process. */
export type QueryJob = SqlJob | PipelineJob | SealJob | MergeJob | CheckJob;

/** Runs a SELECT on the table `readings`. Returns one BSON document per row. */
export interface SqlJob {
  kind: 'sql';
  sql: string;
  /**
   * True to keep trailing zeros of decimals, and to write submillisecond dates and times in the
   * form of `EXACT_TIME`.
   */
  exactValues?: boolean;
  readings: ReadingsFiles;
}

/**
 * Runs an aggregation pipeline on the collection `readings`. Returns the BSON documents of its
 * result.
 */
export interface PipelineJob {
  kind: 'pipeline';
  /** One BSON document per stage. */
  stages: readonly Uint8Array[];
  /** True if readings have an `_id`, which is the ID of the reading in the record store. */
  hasIds?: boolean;
  /** BSON documents to use as input instead of the readings. */
  documents?: readonly Uint8Array[] | undefined;
  /** True to return only the plan, a `PipelinePlan`, without reading anything. */
  explain?: boolean;
  readings: ReadingsFiles;
}

/** Plan of a pipeline. */
export interface PipelinePlan {
  /** Number of leading stages that run in SQL. The other stages run in memory on the result. */
  sqlStages: number;
}

/** Writes readings to new files, one per day. Returns a `WrittenFile` for each. */
export interface SealJob {
  kind: 'seal';
  /**
   * JSON lines, one per reading, with `id`, `series_id`, `day` (whole UTC days since the Unix
   * epoch), `synced_at`, `requested_at`, and `received_at` (microseconds since the epoch), and the
   * object `data`.
   */
  readings: string;
  /**
   * JSON lines, one per series, with `series_id`, the columns of the files that describe a series,
   * and the object `additional_parameters`.
   */
  series: string;
  /** Folder in which to write the files. */
  directory: string;
  /** Prefix of the file names, which is followed by a day and an extension. */
  prefix: string;
}

/**
 * Merges files into a new file without deleted readings. Returns a `WrittenFile`, or nothing if no
 * readings remain.
 */
export interface MergeJob {
  kind: 'merge';
  directory: string;
  /** Names of the files to merge, all of which contain the same day. */
  sources: readonly string[];
  day: number;
  /**
   * True to sort the rows, which needs memory or disk space; otherwise, the files are concatenated.
   */
  ordered: boolean;
  deletions: readonly DeletedReadings[];
  /** As in a `SealJob`. */
  prefix: string;
}

/** Reads files completely. Returns a `DamagedFile` for each file that can't be read. */
export interface CheckJob {
  kind: 'check';
  directory: string;
  /** Names of the files. */
  files: readonly string[];
}

export interface DamagedFile {
  name: string;
}

/** A file that was just written durably. Files without readings aren't written. */
export interface WrittenFile {
  name: string;
  /** Whole UTC days since the Unix epoch. */
  day: number;
  rowCount: number;
  byteCount: number;
  /**
   * Time when the service stored the most recent reading in the file, in microseconds since the
   * Unix epoch.
   */
  lastSyncedAt: number;
  /**
   * JSON form of the `DataShape` of the file; absent after a merge because the shapes of the source
   * files are known.
   */
  shape?: string;
}
