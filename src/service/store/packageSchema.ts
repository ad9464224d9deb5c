import type { Generated, Selectable } from 'kysely';
import type { Micros } from './micros';

/** Versions of registry items. */
export interface PackageVersionsTable {
  /** Versions are in the order of it in which they were made. */
  sequence: Generated<number>;
  item_id: string;
  /** Unique within the item. */
  version: string;
  /** What was said of the item when the version was made: JSON as the item has it. */
  metadata: string;
  markdown_description: string | null;
  created_at: Micros;
}

/** Archives of versions, one for each platform. */
export interface PackageFilesTable {
  id: string;
  item_id: string;
  version: string;
  platform: string;
  /** JSON of a list of texts. */
  platform_tags: string;
  /** JSON form of PackageInfo that has what its uploader said of the contents. */
  info: string;
  blob_hash: string;
  file_size: number;
  uploaded_at: Micros;
}

/** The tables of what registry items hold. */
export interface PackageSchema {
  package_versions: PackageVersionsTable;
  package_files: PackageFilesTable;
}

export type PackageVersionRow = Selectable<PackageVersionsTable>;
export type PackageFileRow = Selectable<PackageFilesTable>;
