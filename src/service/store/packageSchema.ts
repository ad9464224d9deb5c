import type { Generated, Selectable } from 'kysely';
import type { Micros } from './micros';

/** Versions of registry items. */
export interface PackageVersionsTable {
  /** Sorts versions by their order of creation. */
  sequence: Generated<number>;
  item_id: string;
  /** Unique within the item. */
  version: string;
  /** Description of the item when the version was created: JSON in the item's form. */
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
  /** JSON of a list of strings. */
  platform_tags: string;
  /** JSON form of PackageInfo with the uploader's description of the contents. */
  info: string;
  blob_hash: string;
  file_size: number;
  uploaded_at: Micros;
}

/** The tables of the contents of registry items. */
export interface PackageSchema {
  package_versions: PackageVersionsTable;
  package_files: PackageFilesTable;
}

export type PackageVersionRow = Selectable<PackageVersionsTable>;
export type PackageFileRow = Selectable<PackageFilesTable>;
