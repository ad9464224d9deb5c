import type { Selectable } from 'kysely';
import type { Micros } from './micros';

export interface RegistryItemsTable {
  id: string;
  organization_id: string;
  /** Unique within the organization. */
  name: string;
  /** Numeric PackageType of the wire. */
  type: number;
  /** Numeric Visibility of the wire. */
  visibility: number;
  /** Numeric RegistryItemStatus of the wire. */
  status: number;
  url: string;
  description: string;
  markdown_description: string | null;
  /** JSON form of the metadata specific to the item's type. */
  metadata: string;
  /** JSON form of RegistryItemBilling. */
  billing: string | null;
  created_at: Micros;
  updated_at: Micros;
}

/** Apps by name, unique within an organization. */
export interface RegistryAppsTable {
  organization_id: string;
  name: string;
  item_id: string;
}

/** References of configs to registry items, as written in the config: `owner:name`. */
export interface RegistryUsesTable {
  item_ref: string;
  part_id: string | null;
  fragment_id: string | null;
}

/** The tables of registry listings; the contents of items are in the package tables. */
export interface RegistrySchema {
  registry_items: RegistryItemsTable;
  registry_apps: RegistryAppsTable;
  registry_uses: RegistryUsesTable;
}

export type RegistryItemRow = Selectable<RegistryItemsTable>;
