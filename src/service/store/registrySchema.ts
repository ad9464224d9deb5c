import type { Selectable } from 'kysely';
import type { Micros } from './micros';

export interface RegistryItemsTable {
  id: string;
  organization_id: string;
  /** Unique within the organization. */
  name: string;
  /** The wire's number of PackageType. */
  type: number;
  /** The wire's number of Visibility. */
  visibility: number;
  /** The wire's number of RegistryItemStatus. */
  status: number;
  url: string;
  description: string;
  markdown_description: string | null;
  /** JSON form of the metadata that the item's type adds. */
  metadata: string;
  /** JSON form of RegistryItemBilling. */
  billing: string | null;
  created_at: Micros;
  updated_at: Micros;
}

/** Apps by their names, which are unique within an organization. */
export interface RegistryAppsTable {
  organization_id: string;
  name: string;
  item_id: string;
}

/** Which configs name which registry items, as they write it: `owner:name`. */
export interface RegistryUsesTable {
  item_ref: string;
  part_id: string | null;
  fragment_id: string | null;
}

/** The tables of what the registry lists; what items hold is in those of packages. */
export interface RegistrySchema {
  registry_items: RegistryItemsTable;
  registry_apps: RegistryAppsTable;
  registry_uses: RegistryUsesTable;
}

export type RegistryItemRow = Selectable<RegistryItemsTable>;
