/**
 * Readings of one organization as input for a query. The files are Parquet with these columns:
 * - `id` BIGINT and `series_id` BIGINT, as in the record store;
 * - `synced_at` TIMESTAMP, when the service stored the reading;
 * - `organization_id`, `location_id`, `robot_id`, `part_id`, `component_type`, `component_name`,
 *   and `method_name`, VARCHAR;
 * - `time_requested` and `time_received`, TIMESTAMP in UTC;
 * - `tags` VARCHAR[];
 * - `additional_parameters` and `data`, JSON: objects as text.
 */
export interface ReadingsFiles {
  /** Absolute path of the folder, which contains only the organization's files. */
  directory: string;
  /** Names of the organization's files, each with at least one row. */
  files: readonly string[];
  /** Deletions since the files were written. Queries exclude the deleted readings. */
  deletions: readonly DeletedReadings[];
  /**
   * Minimum storage time in microseconds since the Unix epoch. Queries exclude readings that were
   * stored earlier.
   */
  storedFrom: number | undefined;
  /** Merged shape of the values in `data` in all files. */
  shape: DataShape;
}

/**
 * Readings of an organization at one point in time. The files aren't deleted until the snapshot is
 * disposed of.
 */
export interface ReadingsSnapshot extends AsyncDisposable {
  readings: ReadingsFiles;
}

/**
 * Deleted readings of a series. Consists of all readings in a time range whose ID is at most
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
 * Shape of JSON values: the name of a type, the members of an object, or the shape of an array's
 * elements. `JSON` represents values of mixed types. The format is that of DuckDB's
 * `json_group_structure`.
 */
export type DataShape = string | { readonly [name: string]: DataShape } | readonly [DataShape];
