import type { Generated, Selectable } from 'kysely';
import type { Micros } from '../micros';

/** The files of the blob store by the SHA-256 of their bytes, in hexadecimal. */
export interface BlobsTable {
  hash: string;
  size: number;
}

/** What binary items have in common: pages and counts go along it. */
export interface BinarySeriesTable {
  id: Generated<number>;
  /** SHA-256 of all that follows, by which the series is found. */
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

/** How many items of a series were captured on a day: counting them one by one is slow. */
export interface BinaryDaysTable {
  series_id: number;
  /** Whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
}

/** A binary item; what captured it as it was called at that time. */
export interface BinaryDataTable {
  id: string;
  series_id: number;
  /** Whether it has a tag. */
  is_tagged: 0 | 1;
  organization_id: string;
  location_id: string;
  robot_id: string;
  robot_name: string;
  part_id: string;
  part_name: string;
  /** As it was sent: `rdk:component:camera` or `camera`. */
  component_type: string;
  /** The bare type name of it: `camera`. */
  component_kind: string;
  component_name: string;
  method_name: string;
  /** Base64 of a CaptureMetadata that has nothing but them: their types are known to clients only. */
  method_parameters: string | null;
  mime_type: string;
  file_name: string;
  /** With its period, or empty. */
  file_ext: string;
  file_size: number;
  blob_hash: string;
  /** When it was captured: lists are in this order. */
  requested_at: Micros;
  received_at: Micros;
  /** When the service stored it. */
  synced_at: Micros;
  /** Whether the service itself ingests it, as cloud mapping does. */
  is_internal: 0 | 1;
  /** JSON form of Annotations that has classifications alone. */
  classifications: string | null;
}

/** What marks have of their item, which never changes: pages and counts go along it. */
interface MarkOnItem {
  binary_id: string;
  series_id: number;
  requested_at: Micros;
  file_size: number;
}

export interface BinaryTagsTable extends MarkOnItem {
  tag: string;
}

/** Boxes on images; coordinates are fractions of the image's size. */
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
  /** The wire's number of DatasetType. */
  type: number;
  created_at: Micros;
}

export interface DatasetMembersTable {
  dataset_id: string;
  binary_id: string;
}

/** The tables of captured data. */
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
