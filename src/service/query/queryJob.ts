import type { DeletedReadings, ReadingsFiles } from './readingsFiles';

/** A job for a query process. */
export type QueryJob = SqlJob | PipelineJob | SealJob | MergeJob | CheckJob;

/** Runs a SELECT over the table `readings`: one BSON document per row. */
export interface SqlJob {
  kind: 'sql';
  sql: string;
  /**
   * True to keep trailing zeros of decimals, and to write dates and times finer than milliseconds
   * in the form of `EXACT_TIME`.
   */
  exactValues?: boolean;
  readings: ReadingsFiles;
}

/** Runs an aggregation pipeline over the collection `readings`: the BSON documents of its result. */
export interface PipelineJob {
  kind: 'pipeline';
  /** One BSON document per stage. */
  stages: readonly Uint8Array[];
  /** True if readings have an `_id`: the ID of the reading in the record store. */
  hasIds?: boolean;
  /** BSON documents to use as input instead of the readings. */
  documents?: readonly Uint8Array[] | undefined;
  /** True to return only the plan, a `PipelinePlan`, without reading anything. */
  explain?: boolean;
  readings: ReadingsFiles;
}

/** Plan of a pipeline. */
export interface PipelinePlan {
  /** Number of the first stages that run in SQL; the others run in memory, on its results. */
  sqlStages: number;
}

/** Writes readings to new files, one per day: a `WrittenFile` for each. */
export interface SealJob {
  kind: 'seal';
  /**
   * JSON lines, one per reading: `id`, `series_id`, `day` (whole UTC days since the Unix epoch),
   * `synced_at`, `requested_at`, and `received_at` (microseconds since the epoch), and `data`, an
   * object.
   */
  readings: string;
  /**
   * JSON lines, one per series: `series_id`, the columns of the files that describe a series, and
   * `additional_parameters`, an object.
   */
  series: string;
  /** Target folder of the files. */
  directory: string;
  /** Prefix of their names, followed by a day and an extension. */
  prefix: string;
}

/** Merges several files into a new one without deleted readings: a `WrittenFile`, or nothing. */
export interface MergeJob {
  kind: 'merge';
  directory: string;
  /** Names of the files, which all belong to one day. */
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

/** Reads several files completely: a `DamagedFile` for each that can't be read. */
export interface CheckJob {
  kind: 'check';
  directory: string;
  /** Names of the files. */
  files: readonly string[];
}

export interface DamagedFile {
  name: string;
}

/** A file that was just written durably. A file that would be empty isn't written. */
export interface WrittenFile {
  name: string;
  /** Whole UTC days since the Unix epoch. */
  day: number;
  rowCount: number;
  byteCount: number;
  /**
   * Time when the service stored the latest of its readings, in microseconds since the Unix epoch.
   */
  lastSyncedAt: number;
  /** JSON form of its `DataShape`; absent after a merge, because the sources have it. */
  shape?: string;
}
