import type { Selectable } from 'kysely';
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
