import type { FragmentVisibility } from './entities';
import type { OrganizationId, RegistryItemId } from './ids';

/** Type of a registry item (wire: PackageType). */
export type RegistryItemType =
  | 'archive'
  | 'mlModel'
  | 'module'
  | 'slamMap'
  | 'trainingScript'
  | 'unknown';

/** Type that can be filtered by and created. */
export type KnownItemType = Exclude<RegistryItemType, 'unknown'>;

/** Development status of an item (wire: RegistryItemStatus). */
export type RegistryItemStatus = 'published' | 'inDevelopment';

/** Resource model that a module implements: two triplets, such as `rdk:component:sensor`. */
export interface ModuleModel {
  readonly api: string;
  readonly model: string;
  readonly description: string | undefined;
  /** Markdown, which is remote text: sanitized for display, never executed. */
  readonly markdown: string | undefined;
  readonly supportedHardware?: readonly string[] | undefined;
}

/** Web application that a module provides. */
export interface ModuleApp {
  readonly name: string;
  /** `single_machine` or `multi_machine`. */
  readonly type: string;
  /** HTML file that it starts with. */
  readonly entrypoint: string;
  /** Restricts it to machines with one of these fragments; all if empty or absent. */
  readonly fragmentIds?: readonly string[] | undefined;
  readonly logoPath?: string | undefined;
  /** Texts of the page for selecting a machine. */
  readonly machinePicker?:
    | { readonly heading?: string | undefined; readonly subheading?: string | undefined }
    | undefined;
  /** Organizations that can use it; all if absent. */
  readonly allowedOrganizationIds?: readonly string[] | undefined;
}

/** Task of a model on images (wire: ModelType). */
export type ModelTask =
  | 'unspecified'
  | 'singleLabelClassification'
  | 'multiLabelClassification'
  | 'objectDetection';

/** Format of a model (wire: ModelFramework). */
export type ModelFramework = 'unspecified' | 'tflite' | 'tensorflow' | 'pytorch' | 'onnx';

/** Task and format of a model, or of a training script's models. */
export interface ModelKind {
  readonly task: ModelTask;
  readonly framework: ModelFramework;
}

/** Archive of a version. */
export interface VersionFile {
  /** Platform such as `linux/arm64`; `any` for all platforms. */
  readonly platform: string;
  readonly uploadedAt: Date | undefined;
}

/** Version of a registry item. */
export interface RegistryVersion {
  readonly version: string;
  /** For a module: the time when its first archive was uploaded. */
  readonly createdAt: Date | undefined;
  /** Empty if the wire has none, as for models and training scripts. */
  readonly files: readonly VersionFile[];
  /** Deprecation message of the owner. */
  readonly deprecated?: string | undefined;
}

/**
 * Item that an organization publishes: a module, a model, a training script, or another package.
 */
export interface RegistryItem {
  readonly id: RegistryItemId;
  readonly organizationId: OrganizationId;
  /** Empty if the organization has none yet. */
  readonly namespace: string;
  readonly name: string;
  readonly type: RegistryItemType;
  readonly visibility: FragmentVisibility;
  /** Contained only in the lists of organizations. */
  readonly status?: RegistryItemStatus | undefined;
  readonly url: string;
  readonly description: string;
  /** Markdown, which is remote text; absent in lists, and for items other than modules. */
  readonly markdown: string | undefined;
  /** Versions, the newest first. */
  readonly versions: readonly RegistryVersion[];
  /** Models of a module; empty for other types. */
  readonly models: readonly ModuleModel[];
  /** Executable of a module; empty for other types. */
  readonly entrypoint: string;
  /** Script of a module that runs once, before its first start. */
  readonly firstRun?: string | undefined;
  /** Applications of a module. */
  readonly apps?: readonly ModuleApp[] | undefined;
  /** For models and training scripts. */
  readonly modelKind?: ModelKind | undefined;
  /** True for a training script that isn't ready for use yet. */
  readonly isDraft?: boolean | undefined;
  /**
   * True if the list omits its versions and the other fields of its type: use `RegistryStore.get`.
   */
  readonly isBrief?: boolean | undefined;
  readonly machinesUsing: number;
  readonly organizationsUsing: number;
  /** Number of machines using it that don't belong to its owner. */
  readonly otherMachinesUsing?: number | undefined;
  readonly otherOrganizationsUsing?: number | undefined;
  /** Deprecation message of the owner. */
  readonly deprecated: string | undefined;
  readonly updatedAt: Date | undefined;
}
