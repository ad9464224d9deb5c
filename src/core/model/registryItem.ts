import type { FragmentVisibility } from './entities';
import type { OrganizationId, RegistryItemId } from './ids';

/** What a registry item is (wire: PackageType). */
export type RegistryItemType =
  'archive' | 'mlModel' | 'module' | 'slamMap' | 'trainingScript' | 'unknown';

/** How far an item is (wire: RegistryItemStatus). Items whose answer does not tell it have none. */
export type RegistryItemStatus = 'published' | 'inDevelopment' | 'unknown';

/** A resource model that a module implements: two triplets, such as `rdk:component:sensor`. */
export interface ModuleModel {
  readonly api: string;
  readonly model: string;
  readonly description: string | undefined;
  /** Markdown, which is remote text: shown sanitized, never run. */
  readonly markdown: string | undefined;
}

/** An archive of a version. */
export interface VersionFile {
  /** Such as `linux/arm64`; `any` for whichever. */
  readonly platform: string;
  readonly uploadedAt: Date | undefined;
}

/** A version of a registry item. */
export interface RegistryVersion {
  readonly version: string;
  readonly createdAt: Date | undefined;
  /** Empty where the wire tells none, as for models and training scripts. */
  readonly files: readonly VersionFile[];
}

/** What an organization publishes: a module, a model, a training script or another package. */
export interface RegistryItem {
  readonly id: RegistryItemId;
  readonly organizationId: OrganizationId;
  /** Empty while the organization has none. */
  readonly namespace: string;
  readonly name: string;
  readonly type: RegistryItemType;
  readonly visibility: FragmentVisibility;
  readonly url: string;
  readonly description: string;
  /** Markdown, which is remote text; absent in lists. */
  readonly markdown: string | undefined;
  /** The newest first. */
  readonly versions: readonly RegistryVersion[];
  /** Of modules; empty for everything else. */
  readonly models: readonly ModuleModel[];
  /** The executable of a module; empty for everything else. */
  readonly entrypoint: string;
  readonly machinesUsing: number;
  readonly organizationsUsing: number;
  /** What the owner says to those who should not use it any more. */
  readonly deprecated: string | undefined;
  readonly updatedAt: Date | undefined;
}
