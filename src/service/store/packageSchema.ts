import type { Generated, Selectable } from 'kysely';
import type { Micros } from './micros';

/** Versions of registry items. */
export interface PackageVersionsTable {
  /** Sequence number, by which versions are sorted in order of creation. */
  sequence: Generated<number>;
  item_id: string;
  /** Version, which is unique within the item. */
  version: string;
  /**
   * Description of the item at the time when the version was created, as JSON in the item's own
   * format.
   */
  metadata: string;
  markdown_description: string | null;
  created_at: Micros;
}

/** Archives of versions, one per platform. */
export interface PackageFilesTable {
  id: string;
  item_id: string;
  version: string;
  platform: string;
  /** JSON list of strings. */
  platform_tags: string;
  /** JSON form of a PackageInfo in which the uploader describes the contents. */
  info: string;
  blob_hash: string;
  file_size: number;
  uploaded_at: Micros;
}

/** Tables for the contents of registry items. */
export interface PackageSchema {
  package_versions: PackageVersionsTable;
  package_files: PackageFilesTable;
}

export type PackageVersionRow = Selectable<PackageVersionsTable>;
export type PackageFileRow = Selectable<PackageFilesTable>;
