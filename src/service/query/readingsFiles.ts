/**
 * The readings of one organization as a query sees them. Its files are Parquet with these columns:
 * - `id` BIGINT and `series_id` BIGINT, as in the record store;
 * - `synced_at` TIMESTAMP, when the service stored the reading;
 * - `organization_id`, `location_id`, `robot_id`, `part_id`, `component_type`, `component_name` and
 *   `method_name`, VARCHAR;
 * - `time_requested` and `time_received`, TIMESTAMP in UTC;
 * - `tags` VARCHAR[];
 * - `additional_parameters` and `data`, JSON: objects as text.
 */
export interface ReadingsFiles {
  /** The folder with the organization's files and nothing of others; absolute. */
  directory: string;
  /** Names of the files in it, each with at least one row. */
  files: readonly string[];
  /** What was deleted since the files were written: a query leaves it out. */
  deletions: readonly DeletedReadings[];
  /** A query leaves out what was stored earlier, in microseconds since the Unix epoch. */
  storedFrom: number | undefined;
  /** What the values in `data` are like, over all files. */
  shape: DataShape;
}

/** The readings of an organization at one moment; the files stay until it is disposed of. */
export interface ReadingsSnapshot extends AsyncDisposable {
  readings: ReadingsFiles;
}

/** Readings of a series that are deleted: those with a lower or equal id, as far as it got. */
export interface DeletedReadings {
  seriesId: number;
  /** What arrived after the deletion began has a higher id. */
  throughId: number;
  /** The first and last moment of capture, in microseconds since the Unix epoch. */
  from: number;
  to: number;
}

/**
 * What JSON values are like: the name of a type, the members of an object, or in an array what its
 * elements are like. `JSON` is what differs from value to value. It is what DuckDB's
 * `json_group_structure` answers.
 */
export type DataShape = string | { readonly [name: string]: DataShape } | readonly [DataShape];
