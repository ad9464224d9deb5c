import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { LATEST, versionOfPin } from '../../core/model/versionPin';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { Visibility } from '../../gen/viam/app/v1/registry_pb';
import { isJsonObject } from '../config/isJsonObject';
import { textOf } from '../messages/jsonFields';
import { storedModule } from '../messages/moduleVersions';
import { packageIdOf } from '../messages/packageMessages';
import { findVersion, listPackageFiles, listVersionSummaries } from '../store/packages';
import { findRegistryItem, type RegistryItemWithOwner } from '../store/registry';
import type { StoreAccess } from '../store/store';
import { platformsFor } from './packagePlatforms';

const REGISTRY = 'registry';
const MODULE = 'module';

/** What asks for a config. */
interface ConfiguredMachine {
  /** Whose machine it is: private modules of others are not for it. */
  organizationId: string;
  /** What it runs on, such as `linux/arm64`; undefined for one that does not say. */
  platform: string | undefined;
}

/**
 * A config as machines need it for the modules of the registry that it names: with the package of each,
 * in the version that the config comes to now, and with the path of what starts it inside that package
 * (`${packages.module.NAME}/…`, which the machine's software fills in). A module that cannot be used
 * says why in its `status`.
 */
export async function withModulePackages(
  access: StoreAccess,
  machine: ConfiguredMachine,
  config: JsonObject,
): Promise<JsonObject> {
  if (!Array.isArray(config.modules)) {
    return config;
  }
  const modules: JsonValue[] = [];
  const packages: JsonValue[] = Array.isArray(config.packages) ? [...config.packages] : [];
  for (const entry of config.modules) {
    const isOfRegistry = isJsonObject(entry) && textOf(entry.type) === REGISTRY;
    const found = isOfRegistry ? await resolveModule(access, machine, entry) : undefined;
    modules.push(found?.module ?? entry);
    packages.push(...(found?.packages ?? []));
  }
  return { ...config, modules, packages };
}

interface ResolvedModule {
  module: JsonObject;
  packages: readonly JsonObject[];
}

async function resolveModule(
  access: StoreAccess,
  { organizationId, platform }: ConfiguredMachine,
  entry: JsonObject,
): Promise<ResolvedModule> {
  const [name, id] = [textOf(entry.name), textOf(entry.module_id)];
  const unusable = (error: string): ResolvedModule => ({
    module: { ...entry, status: { error } },
    packages: [],
  });
  const item = await findModule(access, organizationId, id);
  if (item === undefined) {
    return unusable(`there is no module "${id}" that this machine may use`);
  }
  const pin = textOf(entry.version) || LATEST;
  const version = await versionFor(access, item.id, pin, platform);
  const said = version === undefined ? undefined : await findVersion(access, item.id, version);
  if (version === undefined || said === undefined) {
    return unusable(`module "${id}" has no version ${pin}`);
  }
  const path = `\${packages.${MODULE}.${name}}/${storedModule(said).entrypoint}`;
  return {
    module: { ...entry, executable_path: path },
    packages: [{ name, package: packageIdOf(item), version, type: MODULE }],
  };
}

/**
 * The version that a pin comes to on a platform. A version gets its archives one after the other, so what
 * follows the newest stays on the version before until the archive for its platform is there.
 */
async function versionFor(
  access: StoreAccess,
  itemId: string,
  pin: string,
  platform = '',
): Promise<string | undefined> {
  const versions = (await listVersionSummaries(access, [itemId])).map((row) => row.version);
  if (platform === '' || versions.includes(pin)) {
    return versionOfPin(pin, versions);
  }
  const wanted = platformsFor(platform);
  const files = await listPackageFiles(access, [itemId]);
  const runnable = new Set(
    files.filter((file) => wanted.includes(file.platform)).map((file) => file.version),
  );
  return (
    versionOfPin(
      pin,
      versions.filter((version) => runnable.has(version)),
    ) ?? versionOfPin(pin, versions)
  );
}

async function findModule(
  access: StoreAccess,
  organizationId: string,
  id: string,
): Promise<RegistryItemWithOwner | undefined> {
  const separator = id.indexOf(':');
  if (separator < 0) return undefined;
  const item = await findRegistryItem(access, id.slice(0, separator), id.slice(separator + 1));
  const isModule = (item?.type as PackageType | undefined) === PackageType.MODULE;
  const isPrivate = (item?.visibility as Visibility | undefined) === Visibility.PRIVATE;
  return isModule && (!isPrivate || item?.organization_id === organizationId) ? item : undefined;
}
