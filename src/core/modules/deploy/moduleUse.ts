import { memberValue } from '../../documents/jsonMembers';
import { getElements, type JsonValue, parseJsonValue } from '../../documents/jsonTree';
import { freeName, getConfigList, textMember, withElement } from './configList';
import { type Deployment, moveUses, registryUse, type RegistryUse } from './moveUses';

const MODULES = 'modules';

/** Returns the uses of a registry module in a config text; empty if the text isn't JSON. */
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
 * @throws FleetError `invalid` if the config's modules are not a list.
 */
export function deployModule(configText: string, deployment: Deployment): string {
  const { ids, version } = deployment;
  const usesIn = (text: string): readonly JsonValue[] =>
    getConfigList(text, MODULES).filter((element) => isUse(element, ids));
  const moved = moveUses(configText, usesIn, deployment);
  if (moved !== undefined) return moved;
  const taken = getConfigList(configText, MODULES).map((element) => textMember(element, 'name'));
  const [id] = ids;
  const name = freeName(plainName(id), new Set(taken));
  return withElement(configText, MODULES, { type: 'registry', name, module_id: id, version });
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
): string {
  const texts = [configText, resolved];
  const isThere = texts.some((text) => moduleUses(text, deployment.ids).length > 0);
  return isThere ? configText : deployModule(configText, deployment);
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
