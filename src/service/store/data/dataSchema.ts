import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Table of files in the blob store, identified by the hexadecimal SHA-256 hash of their bytes. */
export interface BlobsTable {
  hash: string;
  size: number;
}

/** Table of properties that binary items share. Pages and counts use the index of this table. */
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
 * Table of captured binary items. The names of an item's origin are those at the time of capture.
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
   * Base64 encoding of a CaptureMetadata message with only these parameters. Only clients know
   * their types.
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
 * Columns that marks copy from their items, so that pages and counts can use an index of the marks.
 * These columns of an item never change.
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
