import { appendToConfigList, getConfigList } from '../../documents/configLists';
import { appendMember, memberValue, replaceValue } from '../../documents/jsonEdits';
import { getElements, type JsonValue, parseJsonValue } from '../../documents/jsonText';
import { movedPin } from '../../model/versionPin';
import { englishLocalizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import type { ModuleModel, RegistryItem } from '../../model/registryItem';

const MODULES = 'modules';

/** Returns the uses of a registry module in a config; empty if its text isn't JSON. */
export function moduleUses(configText: string, ids: readonly string[]): readonly RegistryUse[] {
  const root = parseJsonValue(configText);
  const list = root && memberValue(root, MODULES);
  return ((list && getElements(list)) ?? [])
    .filter((element) => isUse(element, ids))
    .map(registryUse);
}

/**
 * Deploys the requested version of a module to a config: adds an entry, or changes the version if
 * the config already has the module (`moveUses`).
 * @throws the same errors as `getConfigList`
 */
export function deployModule(
  configText: string,
  deployment: Deployment,
  l10n = englishLocalizer,
): string {
  const { ids, version } = deployment;
  const usesIn = (text: string): readonly JsonValue[] =>
    getConfigList(text, MODULES, l10n).filter((element) => isUse(element, ids));
  const moved = moveUses(configText, usesIn, deployment);
  if (moved !== undefined) return moved;
  const modules = getConfigList(configText, MODULES, l10n);
  const taken = modules.map((element) => textMember(element, 'name'));
  const [id] = ids;
  const name = freeName(plainName(id), new Set(taken));
  const element = { type: 'registry', name, module_id: id, version };
  return withElement(configText, MODULES, element, l10n);
}

/**
 * Makes sure that a config runs a module in any version: leaves the config unchanged if it or its
 * fragments already have the module; otherwise, adds an entry.
 * @param resolved the resolved config
 * @throws the same errors as `deployModule`
 */
export function withModule(
  configText: string,
  deployment: Deployment,
  resolved = configText,
  l10n = englishLocalizer,
): string {
  const texts = [configText, resolved];
  const isThere = texts.some((text) => moduleUses(text, deployment.ids).length > 0);
  return isThere ? configText : deployModule(configText, deployment, l10n);
}

/**
 * Returns true if an element uses a registry module. A local module can happen to have the same ID.
 */
function isUse(element: JsonValue, ids: readonly string[]): boolean {
  return ids.includes(textMember(element, 'module_id')) && textMember(element, 'type') !== 'local';
}

/**
 * Returns a name for a module: `acme:sonar` is named `acme_sonar` in configs. An organization's ID
 * is omitted because it is meaningless to users.
 */
function plainName(id: string): string {
  const [owner = '', name = id] = id.split(':');
  const isOrganizationId = /^[0-9a-f]{8}-/.test(owner);
  return (isOrganizationId ? name : `${owner}_${name}`).replaceAll(/[^\w-]/g, '-');
}

/** Registry item to add to a config, and its version. */
export interface Deployment {
  /** IDs that configs can use for the item. New entries use the first ID. */
  readonly ids: readonly [string, ...string[]];
  /** A version, or a pin such as `latest`. */
  readonly version: string;
  /** All versions of the item. */
  readonly versions: readonly string[];
}

/** Use of a registry item in a config. */
export interface RegistryUse {
  /** Name of the element in the config; empty if it has none. */
  readonly name: string;
  /** Version as written, such as `1.0.0` or `latest`; empty if the config leaves it open. */
  readonly version: string;
}

/** Returns the use of a registry item that an element in a config describes. */
export function registryUse(element: JsonValue): RegistryUse {
  return { name: textMember(element, 'name'), version: textMember(element, 'version') };
}

/**
 * Changes the version in all uses of an item in a config. Keeps the kind of pin (`latest`, `^1`, or
 * none) if it resolves to the requested version. Changes only the affected text.
 * @param usesIn returns the elements that use the item, always in the same order
 * @returns undefined if the config doesn't use the item
 */
export function moveUses(
  configText: string,
  usesIn: (text: string) => readonly JsonValue[],
  { version, versions }: Pick<Deployment, 'version' | 'versions'>,
): string | undefined {
  const { length } = usesIn(configText);
  if (length === 0) return undefined;
  return Array.from({ length }).reduce<string>((edited, _, index) => {
    const use = usesIn(edited)[index];
    return use ? withVersion(use, movedPin(textMember(use, 'version'), version, versions)) : edited;
  }, configText);
}

function withVersion(use: JsonValue, version: string): string {
  // This condition also covers a version that the config leaves open, which must stay open.
  if (version === textMember(use, 'version')) return use.text;
  const written = memberValue(use, 'version');
  return written
    ? replaceValue(written, JSON.stringify(version))
    : appendMember(use, JSON.stringify('version'), JSON.stringify(version));
}

/**
 * Appends an element to a list in a config. Creates the list if it doesn't exist.
 * @throws the same errors as `getConfigList`
 */
export function withElement(
  configText: string,
  section: string,
  element: object,
  l10n = englishLocalizer,
): string {
  return appendToConfigList(configText, section, JSON.stringify(element, undefined, 2), l10n);
}

/** Returns the value of a string member in an element; empty if the element doesn't have it. */
export function textMember(element: JsonValue, key: string): string {
  const value: unknown = memberValue(element, key)?.node.value;
  return typeof value === 'string' ? value : '';
}

/** Returns the name, followed by a number if the name is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
  }
}

/** Config sections for resources, by the second part of their API triplet. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  ['component', 'components'],
  ['service', 'services'],
]);

/**
 * Returns the section for an API such as `rdk:component:sensor`; undefined if configs have no
 * section for it.
 */
export function findApiSection(api: string): string | undefined {
  const [, kind = ''] = api.split(':');
  return SECTIONS.get(kind);
}

/** Returns true if a config already has a resource of this model in any section. */
export function usesModel(configText: string, { model }: ModuleModel): boolean {
  return listResources(configText).some((resource) => textMember(resource, 'model') === model);
}

/** Returns an unused name for a resource of this API, such as `sensor-1`. */
export function proposedName(configText: string, api: string): string {
  const subtype = api.split(':').at(-1) ?? '';
  const taken = resourceNames(configText);
  for (let number = 1; ; number += 1) {
    const name = `${subtype.replaceAll('_', '-')}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Returns the names of the components and services in a config. */
export function resourceNames(configText: string): ReadonlySet<string> {
  return new Set(listResources(configText).map((resource) => textMember(resource, 'name')));
}

/**
 * Adds a resource for a model to a config, without attributes, which the user enters.
 * @throws FleetError `invalid` if the API is neither a component nor a service, or if the config's
 *   value for the section isn't a list.
 */
export function addResource(
  configText: string,
  { api, model, name }: Pick<ModuleModel, 'api' | 'model'> & { readonly name: string },
  l10n = englishLocalizer,
): string {
  const section = findApiSection(api);
  if (!section) {
    const message = l10n.t('"{0}" is neither a component API nor a service API.', api);
    throw new FleetError('invalid', message);
  }
  return withElement(configText, section, { name, api, model, attributes: {} }, l10n);
}

function listResources(configText: string): readonly JsonValue[] {
  const root = parseJsonValue(configText);
  if (root?.node.type !== 'object') return [];
  return [...SECTIONS.values()].flatMap((section) => {
    const list = memberValue(root, section);
    return (list && getElements(list)) ?? [];
  });
}

/**
 * Returns the deployment that adds a module to configs. @param version a version, or a pin such as
 * `latest`
 */
export function createDeployment(
  item: Pick<RegistryItem, 'id' | 'namespace' | 'organizationId' | 'name' | 'versions'>,
  version: string,
): Deployment {
  return { ids: getModuleIds(item), version, versions: item.versions.map((one) => one.version) };
}

/**
 * Returns the newest version that is neither deprecated nor a prerelease; undefined if there is
 * none.
 */
export function findNewestRelease({
  versions,
}: Pick<RegistryItem, 'versions'>): string | undefined {
  return versions.find(({ version, deprecated }) => !version.includes('-') && !deprecated)?.version;
}

/** Configs can refer to a module by its organization's namespace or ID. */
export function getModuleIds({
  id,
  namespace,
  organizationId,
  name,
}: Pick<RegistryItem, 'id' | 'namespace' | 'organizationId' | 'name'>): Deployment['ids'] {
  const owners = namespace === '' ? [organizationId] : [namespace, organizationId];
  return [id, ...owners.map((owner) => `${owner}:${name}`).filter((other) => other !== id)];
}
