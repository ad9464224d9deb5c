/** Job for a query process. */
export type QueryJob = SqlJob | PipelineJob | SealJob | MergeJob | CheckJob | ReadJob;

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
   * epoch), `synced_at`, `requested_at`, and `received_at` (microseconds since the epoch), `size`,
   * and the object `data`.
   */
  readings: string;
  /**
   * JSON lines, one per series. Each line contains `series_id`, the file columns that describe a
   * series, and the object `additional_parameters`.
   */
  series: string;
  /** Folder to which the files are written. */
  directory: string;
  /** Prefix for the file names, which is followed by a day and an extension. */
  prefix: string;
  /** True to add the column `size`, which cold readings have. */
  hasSizes: boolean;
}

/**
 * Job that merges files into a new file without deleted readings. Returns a `WrittenFile`, or
 * nothing if no readings remain.
 */
export interface MergeJob {
  kind: 'merge';
  /** Folder to which the file is written. */
  directory: string;
  /** Folder of the files to merge. */
  sourceDirectory: string;
  /** Names of the files to merge, all of which contain readings from the same day. */
  sources: readonly string[];
  day: number;
  /**
   * True to sort the rows, which requires memory or disk space. Otherwise, the files are
   * concatenated.
   */
  ordered: boolean;
  deletions: readonly DeletedReadings[];
  /** ID up to which readings are omitted, because they are in files with cold readings. */
  after: number;
  /** Prefix for the file name, as in a `SealJob`. */
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

/**
 * Job that reads cold readings of an organization. Returns a `ColdReading` for each reading, or
 * `ReadTotals`.
 */
export interface ReadJob {
  kind: 'read';
  organizationId: string;
  cold: ColdFiles;
  /** Series to read; if absent, all. */
  seriesIds?: readonly number[] | undefined;
  /** Start (inclusive) and end (exclusive) of the capture time, in microseconds. */
  start?: number | undefined;
  end?: number | undefined;
  /** Start (inclusive) of the storage time. */
  storedFrom?: number | undefined;
  /** Result: a page in capture order, all readings in any order, or the totals. */
  result: ReadPage | 'all' | 'totals';
}

/** Number of readings, their total size in bytes, and a checksum of their columns. */
export interface ReadTotals {
  count: number;
  bytes: number;
  checksum: string;
}

/** A cold reading, with the columns that it had in the record store. Times are in microseconds. */
export interface ColdReading {
  id: number;
  series_id: number;
  organization_id: string;
  requested_at: number;
  received_at: number;
  synced_at: number;
  size: number;
  payload: string;
}

/** Page of readings, as in the record store, to be merged with other pages. */
export interface ReadPage {
  oldestFirst: boolean;
  /** Capture time and ID of the reading after which the page starts. */
  after: { requestedAt: number; id: number } | undefined;
  limit: number;
  /**
   * Maximum total size of the payloads in bytes. The page also has the first reading beyond it, so
   * that a merge with other pages doesn't skip that reading.
   */
  maxBytes: number;
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

/**
 * Readings from one organization as input to a query. The files are Parquet with these columns:
 * - `id` BIGINT and `series_id` BIGINT, as in the record store;
 * - `synced_at` TIMESTAMP, when the service stored the reading;
 * - `organization_id`, `location_id`, `robot_id`, `part_id`, `component_type`, `component_name`,
 *   and `method_name`, VARCHAR;
 * - `time_requested` and `time_received`, TIMESTAMP in UTC;
 * - `tags` VARCHAR[];
 * - `additional_parameters` and `data`, JSON: objects as text.
 */
export interface ReadingsFiles {
  organizationId: string;
  /** Absolute path of the folder. It can also contain files of other organizations. */
  directory: string;
  /** Paths of the organization's files in the folder, each with at least one row. */
  files: readonly string[];
  /** Deletions since the files were written. Queries exclude the deleted readings. */
  deletions: readonly DeletedReadings[];
  /**
   * Minimum storage time in microseconds since the Unix epoch. Queries exclude readings that were
   * stored earlier.
   */
  storedFrom: number | undefined;
  /** Merged shape of the `data` values in all files. */
  shape: DataShape;
  /** Cold readings, which are only in these files; absent if the organization has none. */
  cold?: ColdFiles | undefined;
}

/**
 * Files with an organization's cold readings. Their columns are those of `ReadingsFiles`, and `size`
 * INTEGER, the size of the payload in bytes.
 */
export interface ColdFiles {
  /** Absolute paths. */
  files: readonly string[];
  deletions: readonly DeletedReadings[];
  /**
   * Range of IDs that are read from these files, excluding `after`. Other files are read only above
   * the range.
   */
  after: number;
  through: number;
}

/**
 * An organization's readings at a given time. The files aren't deleted until the snapshot is
 * disposed of.
 */
export interface ReadingsSnapshot extends AsyncDisposable {
  readings: ReadingsFiles;
}

/**
 * Deleted readings in a series. Consists of all readings in a time range whose ID is at most
 * `throughId`.
 */
export interface DeletedReadings {
  seriesId: number;
  /** Maximum ID. Readings that arrived after the deletion started have higher IDs. */
  throughId: number;
  /** First and last capture time, in microseconds since the Unix epoch. */
  from: number;
  to: number;
}

/**
 * Shape of JSON values: the name of a type, an object's members, or the shape of an array's
 * elements. `JSON` represents values of mixed types. The format is the same as for DuckDB's
 * `json_group_structure`.
 */
export type DataShape = string | { readonly [name: string]: DataShape } | readonly [DataShape];

/** Runs jobs in separate processes, so that no job can harm the service. */
export interface JobRunner {
  /**
   * Runs a job and yields its BSON documents as they arrive, with back pressure: the job produces
   * more documents only after the previous ones have been consumed. The job stops when the
   * iteration ends, the signal aborts, or a limit is reached.
   * @throws ConnectError InvalidArgument if the query is invalid, with a `QueryPlace` if the
   *   position is known; ResourceExhausted if the query uses too much memory or too many queries
   *   are waiting; DeadlineExceeded if it takes too long; Unimplemented if this installation can't
   *   run queries.
   */
  run(job: QueryJob, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Runs jobs for callers that pass on documents unchanged. */
export interface BatchRunner {
  /** Like `JobRunner.run`, but yields chunks of concatenated documents. */
  runBatches(job: QueryJob, signal?: AbortSignal): AsyncGenerator<Uint8Array, void>;
}
