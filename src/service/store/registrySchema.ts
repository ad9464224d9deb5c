import type { Generated, Selectable } from 'kysely';
import type { Micros } from './micros';

export interface RegistryItemsTable {
  id: string;
  organization_id: string;
  /** Name, which is unique within the organization. */
  name: string;
  /** Numeric value of PackageType in the wire protocol. */
  type: number;
  /** Numeric value of Visibility in the wire protocol. */
  visibility: number;
  /** Numeric value of RegistryItemStatus in the wire protocol. */
  status: number;
  url: string;
  description: string;
  markdown_description: string | null;
  /** JSON representation of the metadata that is specific to the item's type. */
  metadata: string;
  /** JSON representation of RegistryItemBilling. */
  billing: string | null;
  created_at: Micros;
  updated_at: Micros;
}

/** Table of apps by name, which is unique within an organization. */
export interface RegistryAppsTable {
  organization_id: string;
  name: string;
  item_id: string;
}

/** Table of references to registry items in configs, as written there: `owner:name`. */
export interface RegistryUsesTable {
  item_ref: string;
  part_id: string | null;
  fragment_id: string | null;
}

/** Tables of registry items. The package tables contain the contents of the items. */
export interface RegistrySchema {
  registry_items: RegistryItemsTable;
  registry_apps: RegistryAppsTable;
  registry_uses: RegistryUsesTable;
}

export type RegistryItemRow = Selectable<RegistryItemsTable>;

/** Table of versions of registry items. */
export interface PackageVersionsTable {
  /** Sequence number, which determines the order of creation. */
  sequence: Generated<number>;
  item_id: string;
  /** Version, which is unique within the item. */
  version: string;
  /** The item's description when the version was created, as JSON in the item's format. */
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
