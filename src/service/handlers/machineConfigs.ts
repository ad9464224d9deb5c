import { isJsonObject } from '../../core/model/isJsonObject';
import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { parseImports } from '../../core/fragments/fragmentImport';
import { resolveConfig } from '../../core/fragments/resolveConfig';
import type { RobotService } from '../../gen/viam/app/v1/robot_pb';
import { fragmentKey, type LoadedFragments, loadFragments } from '../config/loadFragments';
import { notFound, unimplemented } from '../errors';
import { robotConfigMessage } from '../messages/robotConfigMessage';
import { type FetchedFragment, recordFetch } from '../store/configReports';
import { findPart, recordContact } from '../store/parts';
import type { Micros } from '../store/micros';
import { resolvePath } from '../store/resourcePath';
import { measureTexts, type StoreAccess } from '../store/store';
import { recordAppliedRevision } from './configStates';
import { type HandlerDependencies, toLargeCall } from './handlerSupport';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { getString } from '../messages/structField';
import { getPackageId, storedModule } from '../messages/packageMessages';
import { findVersions, listPackageFiles, listVersionSummaries } from '../store/packages';
import type { PackageVersionRow } from '../store/registrySchema';
import {
  findRegistryItems,
  type RegistryItemName,
  type RegistryItemWithOwner,
} from '../store/registry';
import { platformsFor } from '../../core/model/packageNames';
import { LATEST, resolvePin } from '../../core/model/versionPin';

type MachineConfigs = Pick<ServiceImpl<typeof RobotService>, 'config' | 'certificate'>;

/** Handlers for the config that a machine's software loads when it starts. */
export function machineConfigHandlers({
  store,
  machineSecrets,
  documentWork,
  now,
}: HandlerDependencies): MachineConfigs {
  return {
    async config({ id, agentInfo }, context) {
      const requestedAt = now();
      await recordContact(store, [id], requestedAt);
      await recordAppliedRevision(store, id, context, requestedAt);
      return documentWork.runMeasured(toLargeCall(context), async (addBytes) => {
        addBytes(await measureTexts(store, { table: 'parts', column: 'config_json', id }));
        const part = await findPart(store, id);
        const path = await resolvePath(store, { type: 'part', id });
        if (part === undefined || path === undefined) throw notFound('part', id);
        const written = JSON.parse(part.config_json) as JsonObject;
        const imports = parseImports(written);
        const fragments = await loadFragments(store, path.organizationId, imports, addBytes);
        const { config } = resolveConfig(written, (fragmentId, version) => {
          const fragment = fragments.get(fragmentKey({ id: fragmentId, version }));
          return fragment && (JSON.parse(fragment.config_json) as JsonObject);
        });
        const { location_id: locationId, machine_id: machineId } = part;
        const own = await machineSecrets.listByOwner(store, 'part', [id]);
        const ofLocation = await machineSecrets.listByOwner(store, 'location', [locationId]);
        const cloud = {
          id,
          machineId,
          locationId,
          primaryOrgId: path.organizationId,
          secret: own.get(id)?.at(-1)?.secret ?? '',
          locationSecrets: (ofLocation.get(locationId) ?? []).map((row) => ({
            id: row.id,
            secret: row.secret,
          })),
        };
        const used = toFetchedFragments(fragments);
        const revision = toRevision(part.last_updated, used);
        const machine = { organizationId: path.organizationId, platform: agentInfo?.platform };
        const whole = await withModulePackages(store, machine, config as JsonObject);
        await store.transaction().execute((transaction) =>
          recordFetch(transaction, {
            partId: id,
            revision,
            version: part.last_updated,
            fetchedAt: requestedAt,
            fragments: used,
          }),
        );
        return { config: robotConfigMessage(whole, { revision, cloud }) };
      });
    },

    certificate() {
      throw unimplemented(
        "this service doesn't provide certificates: a part must serve its address with its own certificate",
      );
    },
  };
}

/** Returns the fragments that a config contains, including nested ones. */
function toFetchedFragments(fragments: LoadedFragments): FetchedFragment[] {
  return [...fragments].map(([key, { id, revision }]) => ({
    id,
    revision,
    isPinned: key !== fragmentKey({ id, version: undefined }),
  }));
}

/**
 * Returns the revision of a part's resolved config. It changes whenever the config of the part or
 * one of its fragments is saved.
 */
function toRevision(version: Micros, fragments: readonly FetchedFragment[]): string {
  if (fragments.length === 0) return String(version);
  const names = fragments.map(({ id, revision }) => `${id} ${revision}`).toSorted();
  const digest = createHash('sha256').update(names.join('\n')).digest('hex');
  return `${String(version)}-${digest.slice(0, 12)}`;
}

const REGISTRY = 'registry';
const MODULE = 'module';

/** Machine that requests a config. */
interface ConfiguredMachine {
  /** The machine's organization. The machine can't use other organizations' private modules. */
  organizationId: string;
  /** The machine's platform, such as `linux/arm64`; undefined if it isn't specified. */
  platform: string | undefined;
}

/**
 * Adds the data that machines need for registry modules to a config. This includes each module's
 * package, in the version to which the config currently resolves, and the entrypoint's path inside
 * that package (`${packages.module.NAME}/…`, which the machine's software expands). If a module
 * can't be used, its `status` contains the reason. The number of queries is small and independent
 * of the number of modules, because machines poll their configs.
 */
export async function withModulePackages(
  access: StoreAccess,
  machine: ConfiguredMachine,
  config: JsonObject,
): Promise<JsonObject> {
  if (!Array.isArray(config.modules)) return config;
  const entries = config.modules.filter(isRegistryEntry);
  const found = await findModules(access, machine, entries);
  const resolved = new Map<JsonValue, ResolvedModule>(
    entries.map((entry) => [entry, resolveModule(entry, found(entry))]),
  );
  const packages: JsonValue[] = Array.isArray(config.packages) ? [...config.packages] : [];
  for (const entry of entries) {
    packages.push(...(resolved.get(entry)?.packages ?? []));
  }
  const modules = config.modules.map((entry) => resolved.get(entry)?.module ?? entry);
  return { ...config, modules, packages };
}

function isRegistryEntry(entry: JsonValue): entry is JsonObject {
  return isJsonObject(entry) && getString(entry.type) === REGISTRY;
}

/** Item and version that a config entry resolves to. */
interface ModuleMatch {
  /** Item; undefined if no item exists that the machine can use. */
  item: RegistryItemWithOwner | undefined;
  /** Version; undefined if the item has no matching version. */
  versionRow: PackageVersionRow | undefined;
}

async function findModules(
  access: StoreAccess,
  { organizationId, platform }: ConfiguredMachine,
  entries: readonly JsonObject[],
): Promise<(entry: JsonObject) => ModuleMatch> {
  const names = entries.map((entry) => parseModuleName(entry)).filter((name) => name !== undefined);
  const findItem = await findRegistryItems(access, names);
  const findModule = (entry: JsonObject): RegistryItemWithOwner | undefined => {
    const name = parseModuleName(entry);
    const item = name && findItem(name);
    return item && isUsable(item, organizationId) ? item : undefined;
  };
  const pinned = entries.flatMap((entry): readonly PinnedItem[] => {
    const item = findModule(entry);
    return item ? [{ itemId: item.id, pin: getPin(entry) }] : [];
  });
  const findVersion = await resolvePinnedVersions(access, pinned, platform);
  const requested = pinned.flatMap((one) => {
    const version = findVersion(one);
    return version === undefined ? [] : [{ item_id: one.itemId, version }];
  });
  const rows = await findVersions(access, requested);
  return (entry) => {
    const item = findModule(entry);
    const version = item && findVersion({ itemId: item.id, pin: getPin(entry) });
    const versionRow = rows.find((row) => row.item_id === item?.id && row.version === version);
    return { item, versionRow };
  };
}

interface ResolvedModule {
  module: JsonObject;
  packages: readonly JsonObject[];
}

function resolveModule(entry: JsonObject, { item, versionRow }: ModuleMatch): ResolvedModule {
  const [name, id] = [getString(entry.name), getString(entry.module_id)];
  const unusable = (error: string): ResolvedModule => ({
    module: { ...entry, status: { error } },
    packages: [],
  });
  if (item === undefined) return unusable(`there is no module "${id}" that this machine can use`);
  if (versionRow === undefined) return unusable(`module "${id}" has no version ${getPin(entry)}`);
  const path = `\${packages.${MODULE}.${name}}/${storedModule(versionRow).entrypoint}`;
  return {
    module: { ...entry, executable_path: path },
    packages: [{ name, package: getPackageId(item), version: versionRow.version, type: MODULE }],
  };
}

/** Returns the name in a module ID; undefined if the ID is invalid. */
function parseModuleName({ module_id: written }: JsonObject): RegistryItemName | undefined {
  const id = getString(written);
  const separator = id.indexOf(':');
  if (separator < 0) return undefined;
  return { owner: id.slice(0, separator), name: id.slice(separator + 1) };
}

function isUsable(item: RegistryItemWithOwner, organizationId: string): boolean {
  const isModule = (item.type as PackageType) === PackageType.MODULE;
  const isPrivate = (item.visibility as Visibility) === Visibility.PRIVATE;
  return isModule && (!isPrivate || item.organization_id === organizationId);
}

/** Item, and the pin that a config uses to select its version. */
interface PinnedItem {
  itemId: string;
  /** Version, or a pattern such as `latest` or `^1`. */
  pin: string;
}

/**
 * Returns the pin that a config entry uses to select its version. Defaults to the newest release.
 */
function getPin({ version }: JsonObject): string {
  return getString(version) || LATEST;
}

/**
 * Resolves pins to versions for a platform, with two queries in total. A version's archives are
 * uploaded sequentially. A pin that follows the newest version therefore resolves to the previous
 * version until the archive for its platform is available.
 * @returns a function that returns the version of a pinned item; undefined if the item has no
 *   matching version
 */
async function resolvePinnedVersions(
  access: StoreAccess,
  pinned: readonly PinnedItem[],
  platform = '',
): Promise<(one: PinnedItem) => string | undefined> {
  const itemIds = pinned.map(({ itemId }) => itemId);
  const versions = groupedVersions(await listVersionSummaries(access, itemIds));
  const moving = pinned.filter(({ itemId, pin }) => !versions.get(itemId)?.includes(pin));
  const files =
    platform === ''
      ? []
      : await listPackageFiles(
          access,
          moving.map(({ itemId }) => itemId),
        );
  const platforms = platformsFor(platform);
  const runnable = groupedVersions(files.filter((file) => platforms.includes(file.platform)));
  return ({ itemId, pin }) => {
    const all = versions.get(itemId) ?? [];
    const there = new Set(runnable.get(itemId));
    const isFixed = platform === '' || all.includes(pin);
    const fitting = isFixed ? all : all.filter((version) => there.has(version));
    return resolvePin(pin, fitting) ?? resolvePin(pin, all);
  };
}

function groupedVersions(
  rows: readonly { item_id: string; version: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ({ item_id }) => item_id);
  return new Map([...groups].map(([id, group]) => [id, group.map(({ version }) => version)]));
}
