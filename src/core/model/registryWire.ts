import type {
  App,
  AppType,
  DeprecatedStatus,
  GetAppContentResponse,
  Model,
  ModuleVersion,
  RegistryItem as WireItem,
  RegistryItemStatus as WireStatus,
  Visibility,
} from '../../gen/viam/app/v1/registry_pb';
import { toDate } from './fromWire';
import { organizationId, registryItemId } from './ids';
import type {
  KnownItemType,
  ModelFramework,
  ModelKind,
  ModelTask,
  ModuleApp,
  ModuleModel,
  RegistryItem,
  RegistryItemStatus,
  RegistryVersion,
} from './registryItem';
import { compareSemanticVersions, parseSemanticVersion } from './semanticVersion';
import type {
  ModelFramework as WireFramework,
  ModelType as WireTask,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import type { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import type { KnownVisibility } from './entities';

// Numbers in the API contract's enums, whose generated code is loaded only with the first call.

export const ITEM_TYPES: Readonly<Record<KnownItemType, PackageType>> = {
  archive: 1,
  mlModel: 2,
  module: 3,
  slamMap: 4,
  trainingScript: 5,
};

export const ITEM_VISIBILITIES: Readonly<Record<KnownVisibility, Visibility>> = {
  private: 1,
  public: 2,
  publicUnlisted: 3,
};

export const ITEM_STATUSES: Readonly<Record<RegistryItemStatus, WireStatus>> = {
  published: 1,
  inDevelopment: 2,
};

export const MODEL_TASKS: Readonly<Record<ModelTask, WireTask>> = {
  unspecified: 0,
  singleLabelClassification: 1,
  multiLabelClassification: 2,
  objectDetection: 3,
};

export const MODEL_FRAMEWORKS: Readonly<Record<ModelFramework, WireFramework>> = {
  unspecified: 0,
  tflite: 1,
  tensorflow: 2,
  pytorch: 3,
  onnx: 4,
};

/**
 * Returns the name for a number from the wire; undefined for an unknown number from a newer
 * service.
 */
export function findWireName<Name extends string>(
  table: Readonly<Record<Name, number>>,
  value: number,
): Name | undefined {
  const names = Object.keys(table) as Name[];
  return names.find((name) => table[name] === value);
}

/**
 * Sorts a module's versions by version number, newest first, because an older version can be
 * uploaded later. Other versions follow the semantic versions, most recent first.
 */
export function inVersionOrder(versions: readonly RegistryVersion[]): readonly RegistryVersion[] {
  return versions
    .toReversed()
    .map((version) => ({ version, parsed: parseSemanticVersion(version.version) }))
    .sort((one, other) => {
      if (!one.parsed || !other.parsed) return Number(!one.parsed) - Number(!other.parsed);
      return compareSemanticVersions(other.parsed, one.parsed);
    })
    .map(({ version }) => version);
}

/** Fields that depend on an item's type. */
type TypeFacts = Pick<
  RegistryItem,
  | 'apps'
  | 'entrypoint'
  | 'firstRun'
  | 'isBrief'
  | 'isDraft'
  | 'markdown'
  | 'modelKind'
  | 'models'
  | 'versions'
>;

const NO_FACTS: TypeFacts = { markdown: undefined, versions: [], models: [], entrypoint: '' };

/** Converts a registry item in a response from a registry method. */
export function registryItemFromWire(wire: WireItem): RegistryItem {
  return {
    id: registryItemId(wire.itemId),
    organizationId: organizationId(wire.organizationId),
    namespace: wire.publicNamespace,
    name: wire.name,
    type: findWireName(ITEM_TYPES, wire.type) ?? 'unknown',
    visibility: findWireName(ITEM_VISIBILITIES, wire.visibility) ?? 'unknown',
    url: wire.url,
    description: wire.description,
    machinesUsing: Number(wire.totalRobotUsage),
    organizationsUsing: Number(wire.totalOrganizationUsage),
    otherMachinesUsing: Number(wire.totalExternalRobotUsage),
    otherOrganizationsUsing: Number(wire.totalExternalOrganizationUsage),
    deprecated: getDeprecation(wire.deprecatedStatus),
    updatedAt: toDate(wire.updatedAt),
    ...typeFacts(wire),
  };
}

function typeFacts({ type, metadata }: WireItem): TypeFacts {
  switch (metadata.case) {
    case 'moduleMetadata': {
      const { models, versions, entrypoint, firstRun, apps, markdownDescription } = metadata.value;
      return {
        models: models.map(modelFromWire),
        versions: inVersionOrder(versions.map(moduleVersion)),
        entrypoint,
        firstRun,
        apps: apps.map(appFromWire),
        markdown: markdownDescription,
      };
    }
    case 'mlModelMetadata':
      return {
        ...NO_FACTS,
        modelKind: toModelKind(metadata.value),
        versions: sortNewestFirst(metadata.value.detailedVersions),
      };
    case 'mlTrainingMetadata':
      return {
        ...NO_FACTS,
        modelKind: toModelKind(metadata.value),
        isDraft: metadata.value.draft,
        versions: sortNewestFirst(metadata.value.versions),
      };
    default:
      return { ...NO_FACTS, isBrief: WITH_METADATA.has(type) };
  }
}

/** Types of items that always have metadata, which brief lists omit. */
const WITH_METADATA: ReadonlySet<number> = new Set([
  ITEM_TYPES.module,
  ITEM_TYPES.mlModel,
  ITEM_TYPES.trainingScript,
]);

function toModelKind({
  modelType,
  modelFramework,
}: {
  readonly modelType: number;
  readonly modelFramework: number;
}): ModelKind {
  return {
    task: findWireName(MODEL_TASKS, modelType) ?? 'unspecified',
    framework: findWireName(MODEL_FRAMEWORKS, modelFramework) ?? 'unspecified',
  };
}

function modelFromWire(wire: Model): ModuleModel {
  return {
    api: wire.api,
    model: wire.model,
    description: wire.description,
    markdown: wire.markdownDocumentation,
    supportedHardware: wire.supportedHardware,
  };
}

function appFromWire({ customizations, allowedOrgIds, ...wire }: App): ModuleApp {
  const { name, type, entrypoint, fragmentIds, logoPath } = wire;
  return {
    name,
    type,
    entrypoint,
    fragmentIds,
    logoPath,
    machinePicker: customizations?.machinePicker && {
      heading: customizations.machinePicker.heading,
      subheading: customizations.machinePicker.subheading,
    },
    allowedOrganizationIds: allowedOrgIds?.ids,
  };
}

function moduleVersion({ version, files, deprecatedStatus }: ModuleVersion): RegistryVersion {
  const uploads = files.map(({ platform, uploadedAt }) => ({
    platform,
    uploadedAt: toDate(uploadedAt),
  }));
  const times = uploads.flatMap(({ uploadedAt }) => uploadedAt ?? []);
  return {
    version,
    createdAt: times.length === 0 ? undefined : new Date(Math.min(...times.map(Number))),
    files: uploads,
    deprecated: getDeprecation(deprecatedStatus),
  };
}

/**
 * Sorts the versions of items other than modules, newest first. The wire returns them in order of
 * creation.
 */
function sortNewestFirst(
  versions: readonly {
    readonly version: string;
    readonly createdOn?: Parameters<typeof toDate>[0];
  }[],
): readonly RegistryVersion[] {
  return versions
    .map(({ version, createdOn }) => ({ version, createdAt: toDate(createdOn), files: [] }))
    .reverse();
}

/**
 * Returns the deprecation message; empty if the item is deprecated without a message, and undefined
 * if it isn't deprecated.
 */
function getDeprecation(status: DeprecatedStatus | undefined): string | undefined {
  return status?.message;
}

/**
 * Number of machines that an app is opened with; `unknown` if the service sends an unknown type.
 */
export type AppUse = 'oneMachine' | 'manyMachines' | 'unknown';

/** Web application that a module provides. */
export interface AppContent {
  /** HTML file that is the start page of the app. */
  readonly entrypoint: string;
  /** Storage path of the app's files; empty until files are uploaded. */
  readonly storedAt: string;
  readonly use: AppUse;
  /** True if users can open the app without signing in. */
  readonly isPublic: boolean;
}

// Numbers in the API contract's enum, whose generated code is loaded only with the first call.
const USES: Readonly<Partial<Record<AppType, AppUse>>> = { 1: 'oneMachine', 2: 'manyMachines' };

export function appContentFromWire(answer: GetAppContentResponse): AppContent {
  return {
    entrypoint: answer.entrypoint,
    storedAt: answer.blobPath,
    use: USES[answer.appType] ?? 'unknown',
    isPublic: answer.public,
  };
}
