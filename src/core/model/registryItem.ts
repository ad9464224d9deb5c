import type { FragmentVisibility } from './entities';
import type { OrganizationId, RegistryItemId } from './ids';

/** What a registry item is (wire: PackageType). */
export type RegistryItemType =
  | 'archive'
  | 'mlModel'
  | 'module'
  | 'slamMap'
  | 'trainingScript'
  | 'unknown';

/** A type that can be asked for, and made. */
export type KnownItemType = Exclude<RegistryItemType, 'unknown'>;

/** How far an item is (wire: RegistryItemStatus). */
export type RegistryItemStatus = 'published' | 'inDevelopment';

/** A resource model that a module implements: two triplets, such as `rdk:component:sensor`. */
export interface ModuleModel {
  readonly api: string;
  readonly model: string;
  readonly description: string | undefined;
  /** Markdown, which is remote text: shown sanitized, never run. */
  readonly markdown: string | undefined;
  readonly supportedHardware?: readonly string[] | undefined;
}

/** A web application that a module brings along. */
export interface ModuleApp {
  readonly name: string;
  /** `single_machine` or `multi_machine`. */
  readonly type: string;
  /** The HTML file it starts with. */
  readonly entrypoint: string;
  /** Only machines with one of these fragments; empty or absent: all. */
  readonly fragmentIds?: readonly string[] | undefined;
  readonly logoPath?: string | undefined;
  /** Texts of the page on which a machine is chosen. */
  readonly machinePicker?:
    | { readonly heading?: string | undefined; readonly subheading?: string | undefined }
    | undefined;
  /** The organizations that may use it; absent: every one. */
  readonly allowedOrganizationIds?: readonly string[] | undefined;
}

/** What a model tells from pictures (wire: ModelType). */
export type ModelTask =
  | 'unspecified'
  | 'singleLabelClassification'
  | 'multiLabelClassification'
  | 'objectDetection';

/** The format that a model is made in (wire: ModelFramework). */
export type ModelFramework = 'unspecified' | 'tflite' | 'tensorflow' | 'pytorch' | 'onnx';

/** What a model is, or the models that a training script makes. */
export interface ModelKind {
  readonly task: ModelTask;
  readonly framework: ModelFramework;
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
  /** Of a module: when its first archive came. */
  readonly createdAt: Date | undefined;
  /** Empty where the wire tells none, as for models and training scripts. */
  readonly files: readonly VersionFile[];
  /** What the owner says to those who should not use it any more. */
  readonly deprecated?: string | undefined;
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
  /** Told in the lists of organizations alone. */
  readonly status?: RegistryItemStatus | undefined;
  readonly url: string;
  readonly description: string;
  /** Markdown, which is remote text; absent in lists, and of whatever is no module. */
  readonly markdown: string | undefined;
  /** The newest first. */
  readonly versions: readonly RegistryVersion[];
  /** Of modules; empty for everything else. */
  readonly models: readonly ModuleModel[];
  /** The executable of a module; empty for everything else. */
  readonly entrypoint: string;
  /** A script of a module that runs once, before its first start. */
  readonly firstRun?: string | undefined;
  /** Of modules. */
  readonly apps?: readonly ModuleApp[] | undefined;
  /** Of models and training scripts. */
  readonly modelKind?: ModelKind | undefined;
  /** A training script that is not ready to be used yet. */
  readonly isDraft?: boolean | undefined;
  /** A list had no place for its versions and the rest of what its type adds: `RegistryStore.get` has. */
  readonly isBrief?: boolean | undefined;
  readonly machinesUsing: number;
  readonly organizationsUsing: number;
  /** Those of them that do not belong to its owner. */
  readonly otherMachinesUsing?: number | undefined;
  readonly otherOrganizationsUsing?: number | undefined;
  /** What the owner says to those who should not use it any more. */
  readonly deprecated: string | undefined;
  readonly updatedAt: Date | undefined;
}
