import type { Generated, Selectable } from 'kysely';
import type { Micros } from './micros';

/** Table of versions of registry items. */
export interface PackageVersionsTable {
  /** Sequence number, which determines the order of creation. */
  sequence: Generated<number>;
  item_id: string;
  /** Version, which is unique within the item. */
  version: string;
  /** Description of the item when the version was created, as JSON in the item's format. */
  metadata: string;
  markdown_description: string | null;
  created_at: Micros;
}

/** Table of archives of versions, one per platform. */
export interface PackageFilesTable {
  id: string;
  item_id: string;
  version: string;
  platform: string;
  /** Platform tags as a JSON list of strings. */
  platform_tags: string;
  /**
   * JSON representation of a PackageInfo that contains the uploader's description of the contents.
   */
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
