import type {
  App,
  DeprecatedStatus,
  Model,
  ModuleVersion,
  RegistryItem as WireItem,
} from '../../gen/viam/app/v1/registry_pb';
import { toDate } from './fromWire';
import { organizationId, registryItemId } from './ids';
import type {
  ModelKind,
  ModuleApp,
  ModuleModel,
  RegistryItem,
  RegistryVersion,
} from './registryItem';
import {
  findWireName,
  ITEM_TYPES,
  ITEM_VISIBILITIES,
  MODEL_FRAMEWORKS,
  MODEL_TASKS,
} from './registryWire';
import { compareSemanticVersions, parseSemanticVersion } from './semanticVersion';

/**
 * Sorts the versions of a module by version number, newest first, because an older version can be
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

/** Fields that depend on the type of an item. */
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

/** Converts a registry item in a response of the registry methods. */
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
    ...{ name, type, entrypoint, fragmentIds, logoPath },
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
