import type { DeletedReadings, ReadingsFiles } from './readingsFiles';

/** Job for a query process. */
export type QueryJob = SqlJob | PipelineJob | SealJob | MergeJob | CheckJob;

/** Job that runs a SELECT on the table `readings`. Returns one BSON document per row. */
export interface SqlJob {
  kind: 'sql';
  sql: string;
  /**
   * True to preserve trailing zeros of decimals, and to write submillisecond dates and times in the
   * form of `EXACT_TIME`.
   */
  exactValues?: boolean;
  readings: ReadingsFiles;
}

/**
 * Job that runs an aggregation pipeline on the collection `readings`. Returns the BSON documents of
 * its result.
 */
export interface PipelineJob {
  kind: 'pipeline';
  /** One BSON document per stage. */
  stages: readonly Uint8Array[];
  /** True if readings have an `_id`, which is the ID of the reading in the record store. */
  hasIds?: boolean;
  /** BSON documents to use as input instead of the readings. */
  documents?: readonly Uint8Array[] | undefined;
  /** True to return only the plan, a `PipelinePlan`, without reading any data. */
  explain?: boolean;
  readings: ReadingsFiles;
}

/** Plan of a pipeline. */
export interface PipelinePlan {
  /** Number of leading stages that run in SQL. The other stages run in memory on the result. */
  sqlStages: number;
}

/** Job that writes readings to new files, one per day. Returns a `WrittenFile` for each file. */
export interface SealJob {
  kind: 'seal';
  /**
   * JSON lines, one per reading, with `id`, `series_id`, `day` (whole UTC days since the Unix
   * epoch), `synced_at`, `requested_at`, and `received_at` (microseconds since the epoch), and the
   * object `data`.
   */
  readings: string;
  /**
   * JSON lines, one per series. Each line contains `series_id`, the columns of the files that
   * describe a series, and the object `additional_parameters`.
   */
  series: string;
  /** Folder to which the files are written. */
  directory: string;
  /** Prefix of the file names, which is followed by a day and an extension. */
  prefix: string;
}

/**
 * Job that merges files into a new file without deleted readings. Returns a `WrittenFile`, or
 * nothing if no readings remain.
 */
export interface MergeJob {
  kind: 'merge';
  directory: string;
  /** Names of the files to merge, all of which contain the same day. */
  sources: readonly string[];
  day: number;
  /**
   * True to sort the rows, which requires memory or disk space. Otherwise, the files are
   * concatenated.
   */
  ordered: boolean;
  deletions: readonly DeletedReadings[];
  /** Prefix of the file name, as in a `SealJob`. */
  prefix: string;
}

/** Job that reads files completely. Returns a `DamagedFile` for each file that can't be read. */
export interface CheckJob {
  kind: 'check';
  directory: string;
  /** Names of the files. */
  files: readonly string[];
}

export interface DamagedFile {
  name: string;
}

/** File that has just been written durably. Files without readings aren't written. */
export interface WrittenFile {
  name: string;
  /** Number of whole UTC days since the Unix epoch. */
  day: number;
  rowCount: number;
  byteCount: number;
  /**
   * Time when the service stored the most recent reading in the file, in microseconds since the
   * Unix epoch.
   */
  lastSyncedAt: number;
  /**
   * `DataShape` of the file as JSON; absent after a merge, because the shapes of the source files
   * are known.
   */
  shape?: string;
}
