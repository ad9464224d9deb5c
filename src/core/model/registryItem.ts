import type { FragmentVisibility, KnownVisibility } from './entities';
import type { OrganizationId, RegistryItemId } from './ids';

/** Type of a registry item (wire: PackageType). */
export type RegistryItemType =
  | 'archive'
  | 'mlModel'
  | 'module'
  | 'slamMap'
  | 'trainingScript'
  | 'unknown';

/** Type that users can filter by and create. */
export type KnownItemType = Exclude<RegistryItemType, 'unknown'>;

/** Development status of an item (wire: RegistryItemStatus). */
export type RegistryItemStatus = 'published' | 'inDevelopment';

/** Resource model that a module implements: two triplets, such as `rdk:component:sensor`. */
export interface ModuleModel {
  readonly api: string;
  readonly model: string;
  readonly description: string | undefined;
  /** Markdown text from the service: must be sanitized for display and never executed. */
  readonly markdown: string | undefined;
  readonly supportedHardware?: readonly string[] | undefined;
}

/** Web application that a module provides. */
export interface ModuleApp {
  readonly name: string;
  /** Type of the application: `single_machine` or `multi_machine`. */
  readonly type: string;
  /** HTML file that is the start page of the application. */
  readonly entrypoint: string;
  /**
   * Fragments that determine which machines are offered to the application: a machine must use at
   * least one of them. If empty or absent, all machines are offered.
   */
  readonly fragmentIds?: readonly string[] | undefined;
  readonly logoPath?: string | undefined;
  /** Strings for the machine selection page. */
  readonly machinePicker?:
    | { readonly heading?: string | undefined; readonly subheading?: string | undefined }
    | undefined;
  /** Organizations that can use the application; all if absent. */
  readonly allowedOrganizationIds?: readonly string[] | undefined;
}

/** Task of a model that processes images (wire: ModelType). */
export type ModelTask =
  | 'unspecified'
  | 'singleLabelClassification'
  | 'multiLabelClassification'
  | 'objectDetection';

/** Format of a model (wire: ModelFramework). */
export type ModelFramework = 'unspecified' | 'tflite' | 'tensorflow' | 'pytorch' | 'onnx';

/** Task and format of a model, or of the models that a training script produces. */
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
  /** Creation time; for a module, the time when the version's first archive was uploaded. */
  readonly createdAt: Date | undefined;
  /**
   * Archives of the version; empty if the wire message has none, as for models and training
   * scripts.
   */
  readonly files: readonly VersionFile[];
  /** Deprecation message from the owner. */
  readonly deprecated?: string | undefined;
}

/**
 * Item that an organization publishes: a module, a model, a training script, or another package.
 */
export interface RegistryItem {
  readonly id: RegistryItemId;
  readonly organizationId: OrganizationId;
  /** The organization's namespace; empty if it has none yet. */
  readonly namespace: string;
  readonly name: string;
  readonly type: RegistryItemType;
  readonly visibility: FragmentVisibility;
  /** Development status, which only the lists of organizations contain. */
  readonly status?: RegistryItemStatus | undefined;
  readonly url: string;
  readonly description: string;
  /** Markdown text from the service; absent in lists, and for items other than modules. */
  readonly markdown: string | undefined;
  /** Versions, newest first. */
  readonly versions: readonly RegistryVersion[];
  /** Models of a module; empty for other types. */
  readonly models: readonly ModuleModel[];
  /** Executable of a module; empty for other types. */
  readonly entrypoint: string;
  /** Script of a module that runs once, before the module starts for the first time. */
  readonly firstRun?: string | undefined;
  /** Applications of a module. */
  readonly apps?: readonly ModuleApp[] | undefined;
  /** Task and format; only for models and training scripts. */
  readonly modelKind?: ModelKind | undefined;
  /** True for a training script that isn't ready for use yet. */
  readonly isDraft?: boolean | undefined;
  /**
   * True if the item is from a list that omits the versions and the fields for the item's type.
   * `RegistryStore.get` returns these fields.
   */
  readonly isBrief?: boolean | undefined;
  readonly machinesUsing: number;
  readonly organizationsUsing: number;
  /** Number of machines in other organizations that use the item. */
  readonly otherMachinesUsing?: number | undefined;
  readonly otherOrganizationsUsing?: number | undefined;
  /** Deprecation message from the owner. */
  readonly deprecated: string | undefined;
  readonly updatedAt: Date | undefined;
}

/** Filter for an organization's registry items. An empty list matches everything. */
export interface RegistryFilter {
  readonly types: readonly KnownItemType[];
  readonly visibilities: readonly KnownVisibility[];
  readonly statuses: readonly RegistryItemStatus[];
  /** Platforms; an archive of the item must run on at least one of them. */
  readonly platforms: readonly string[];
}

export const WHOLE_REGISTRY: RegistryFilter = {
  types: [],
  visibilities: [],
  statuses: [],
  platforms: [],
};

const ANY = 'any';

/** Returns true if a filter excludes anything. */
export function isFilteringRegistry(filter: RegistryFilter): boolean {
  return Object.values(filter).some((values: readonly string[]) => values.length > 0);
}

export function matchesRegistryFilter(item: RegistryItem, filter: RegistryFilter): boolean {
  return (
    accepts(filter.types, item.type) &&
    accepts(filter.visibilities, item.visibility) &&
    accepts(filter.statuses, item.status) &&
    (filter.platforms.length === 0 ||
      // Brief lists don't contain versions, so the platforms are unknown.
      item.isBrief === true ||
      listItemPlatforms([item]).some(runsOnOne(filter.platforms)))
  );
}

/** Returns the platforms of the items' archives, sorted by name. */
export function listItemPlatforms(items: readonly RegistryItem[]): readonly string[] {
  const files = items.flatMap(({ versions }) => versions).flatMap((version) => version.files);
  return [...new Set(files.map(({ platform }) => platform))].toSorted();
}

function accepts(accepted: readonly string[], value: string | undefined): boolean {
  return accepted.length === 0 || (value !== undefined && accepted.includes(value));
}

/**
 * Returns a function that returns true if an archive runs on one of the given platforms. An
 * archive for `linux/any` or `any` also runs on `linux/arm64`.
 */
function runsOnOne(platforms: readonly string[]): (platform: string) => boolean {
  return (platform) =>
    platform === ANY ||
    platforms.some(
      (one) => platform === one || platform === `${one.split('/', 1)[0] ?? ''}/${ANY}`,
    );
}
