import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Table of files in the blob store, identified by the hexadecimal SHA-256 hash of their bytes. */
export interface BlobsTable {
  hash: string;
  size: number;
  /** Number of times that a collector has begun to delete the blob from a bucket. */
  generation: Generated<number>;
  /** Time in milliseconds since which a collector has known that the blob is unreferenced. */
  unreferenced_at: number | null;
  /** Time in milliseconds when a collector finished deleting the blob from a bucket. */
  collected_at: number | null;
}

/** Table of properties that binary items share. Paging and counting use this table's index. */
export interface BinarySeriesTable {
  id: Generated<number>;
  /** SHA-256 hash of all following columns, which identifies the series. */
  series_key: string;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  component_type: string;
  component_kind: string;
  component_name: string;
  method_name: string;
  mime_type: string;
  is_internal: 0 | 1;
}

/**
 * Table of the number of items captured per series and day. Counting items individually would be
 * slow.
 */
export interface BinaryDaysTable {
  series_id: number;
  /** Number of whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
}

/**
 * Table of captured binary items. The names in an item's origin are those at the time of capture.
 */
export interface BinaryDataTable {
  id: string;
  series_id: number;
  /** 1 if the item has a tag; otherwise, 0. */
  is_tagged: 0 | 1;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  /** Component type as received: `rdk:component:camera` or `camera`. */
  component_type: string;
  /** Component type without a namespace: `camera`. */
  component_kind: string;
  component_name: string;
  method_name: string;
  /**
   * Base64-encoded CaptureMetadata message that contains only the method parameters. Only clients
   * know the types of the parameters.
   */
  method_parameters: string | null;
  mime_type: string;
  file_name: string;
  /** File extension including the period; empty if there is none. */
  file_ext: string;
  file_size: number;
  blob_hash: string;
  /** Time of capture. Lists are sorted by this time. */
  requested_at: Micros;
  received_at: Micros;
  /** Time when the service stored the item. */
  synced_at: Micros;
  /** 1 if the service itself processes the item, for example for cloud mapping. */
  is_internal: 0 | 1;
  /** JSON representation of Annotations with only classifications. */
  classifications: string | null;
}

/**
 * Columns that marks copy from their items, so that paging and counting can use an index on the
 * marks. These columns in an item never change.
 */
interface MarkOnItem {
  binary_id: string;
  series_id: number;
  requested_at: Micros;
  file_size: number;
}

export interface BinaryTagsTable extends MarkOnItem {
  tag: string;
}

/** Table of boxes on images. Coordinates are fractions of the image size. */
export interface BoundingBoxesTable extends MarkOnItem {
  id: string;
  label: string;
  x_min: number;
  y_min: number;
  x_max: number;
  y_max: number;
  confidence: number | null;
}

export interface DatasetsTable {
  id: string;
  organization_id: string;
  name: string;
  /** Numeric value of DatasetType in the wire protocol. */
  type: number;
  created_at: Micros;
}

export interface DatasetMembersTable {
  dataset_id: string;
  binary_id: string;
}

/** Tables of captured data. */
export interface DataSchema {
  blobs: BlobsTable;
  binary_series: BinarySeriesTable;
  binary_days: BinaryDaysTable;
  binary_data: BinaryDataTable;
  binary_tags: BinaryTagsTable;
  bounding_boxes: BoundingBoxesTable;
  datasets: DatasetsTable;
  dataset_members: DatasetMembersTable;
}

export type BinaryDataRow = Selectable<BinaryDataTable>;
export type BoundingBoxRow = Selectable<BoundingBoxesTable>;
export type DatasetRow = Selectable<DatasetsTable>;

/**
 * Table of properties that readings from the same origin share, with the names at the time of
 * capture. Any number of readings can refer to a row.
 */
export interface ReadingSeriesTable {
  id: Generated<number>;
  /** SHA-256 hash of all following columns, which identifies the row. */
  series_key: string;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  /** Component type as received: `rdk:component:sensor` or `sensor`. */
  component_type: string;
  /** Component type without a namespace: `sensor`. */
  component_kind: string;
  component_name: string;
  method_name: string;
  /** Base64-encoded CaptureMetadata message that contains only the method parameters. */
  method_parameters: string | null;
  /**
   * Method parameters as members of a JSON object, in the format of `joinLines`. Contains only
   * parameters whose types are known.
   */
  parameters: string;
  /** Tags as JSON strings, in the format of `joinLines`. */
  tags: string;
}

/** Table of the durable records of all acknowledged readings. */
export interface ReadingsTable {
  /** ID, which determines the order of readings with the same timestamp. */
  id: Generated<number>;
  series_id: number;
  /**
   * The series' organization. It is duplicated here for pages that contain readings from many
   * series.
   */
  organization_id: string;
  /** Time of capture. Lists are sorted by this time. */
  requested_at: Micros;
  received_at: Micros;
  /** Time when the service stored the reading. */
  synced_at: Micros;
  /** Size of the payload in bytes. */
  size: number;
  /** The reading's payload as JSON text. */
  payload: string;
}

/**
 * Table of the number of readings captured per series and day. Counting readings individually would
 * be slow.
 */
export interface ReadingDaysTable {
  series_id: number;
  /** Number of whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
  last_synced_at: Micros;
}

/** Tables of readings. */
export interface ReadingsSchema {
  reading_series: ReadingSeriesTable;
  readings: ReadingsTable;
  reading_days: ReadingDaysTable;
}

export type ReadingSeriesRow = Selectable<ReadingSeriesTable>;
export type ReadingRow = Selectable<ReadingsTable>;

/**
 * Table that tracks how many of an organization's readings have been sealed to files of a catalog.
 */
export interface LakeProgressTable {
  /**
   * ID of a catalog of files. Services that share a database have one catalog for the bucket with
   * their files, or each have one for their folder. All have the same catalog of cold readings.
   */
  place: string;
  organization_id: string;
  /** ID up to which all readings are either in files or deleted. */
  sealed_through: number;
  /**
   * In the catalog of cold readings, ID up to which they were removed from the records. In other
   * catalogs, ID up to which removed readings were also removed from the files. Null means 0.
   */
  removed_through: number | null;
}

/** Table of files, each with readings that one organization captured on one day. */
export interface LakeFilesTable {
  /** File name in a folder; the hash of an object in a bucket. */
  name: string;
  place: string;
  organization_id: string;
  /** Number of whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
  /** Time when the service stored the most recent reading in the file. */
  last_synced_at: Micros;
  /** JSON representation of the shape of the file's values. */
  shape: string;
  /** Blob with the file's bytes, if it is an object in a bucket or contains cold readings. */
  blob_hash: string | null;
  /** For a file with cold readings, the last ID of the range that was sealed to it. */
  through_id: number | null;
}

/** Key of an organization's files in a catalog: those in one folder, or those in the bucket. */
export interface LakeKey {
  catalogId: string;
  organizationId: string;
}

/** Kinds of work on the files of a catalog, each of which one service does at a time. */
export type LakeTask = 'seal' | 'merge';

/** Table of leases for work on an organization's files in a bucket. */
export interface LakeLeasesTable {
  place: string;
  organization_id: string;
  task: LakeTask;
  /** Number of times that the lease was acquired. */
  token: number;
  /** Time in milliseconds since the Unix epoch, by the clock of the database; 0 after a release. */
  expires_at: number;
}

/**
 * Table of marks for deleted readings that might still be in older files. A mark applies to
 * readings from one series and day with IDs up to `through_id`, in capture order up to
 * `deleted_to`.
 */
export interface DeletedReadingsTable {
  place: string;
  series_id: number;
  day: number;
  through_id: number;
  organization_id: string;
  /** Capture time of the last deleted reading. */
  deleted_to: Micros;
}

/** Tables of the lake. */
export interface LakeSchema {
  lake_progress: LakeProgressTable;
  lake_files: LakeFilesTable;
  deleted_readings: DeletedReadingsTable;
  lake_leases: LakeLeasesTable;
}

export type LakeFileRow = Selectable<LakeFilesTable>;
export type DeletedReadingsRow = Selectable<DeletedReadingsTable>;

/**
 * Table of database users, one per organization, who can read the organization's data with MongoDB
 * clients. Contains only base64-encoded data for verifying the password (RFC 5802).
 */
export interface DatabaseUsersTable {
  organization_id: string;
  /** Random salt. It is generated for each password, so it also identifies the password. */
  salt: string;
  iterations: number;
  stored_key: string;
  server_key: string;
  configured_at: Micros;
}

/** Table of database users. */
export interface DatabaseUserSchema {
  database_users: DatabaseUsersTable;
}

export type DatabaseUserRow = Selectable<DatabaseUsersTable>;

/**
 * Joins JSON strings that contain no line feeds into one string, in which each of them is enclosed
 * in line feeds. A query can then find any of the strings without knowing the rest.
 */
export function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** Splits a string that `joinLines` returned. */
export function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
