import { memberValue } from '../../documents/jsonMembers';
import { elementsOf, type JsonValue, parseJsonValue } from '../../documents/jsonTree';
import { freeName, listOfConfig, textMember, withElement } from './configList';
import { type Deployment, moveUses, registryUse, type RegistryUse } from './moveUses';

const MODULES = 'modules';

/** How a config text uses a module of the registry; none when it is not JSON. */
export function moduleUses(configText: string, ids: readonly string[]): readonly RegistryUse[] {
  const root = parseJsonValue(configText);
  const list = root && memberValue(root, MODULES);
  return ((list && elementsOf(list)) ?? [])
    .filter((element) => isUse(element, ids))
    .map(registryUse);
}

/**
 * The text of a config that runs a module in the wanted version: with an entry added, or with the
 * version changed where the module is there already (`moveUses`).
 * @throws FleetError `invalid` when the config has something else where the list belongs.
 */
export function deployModule(configText: string, deployment: Deployment): string {
  const { ids, version } = deployment;
  const usesIn = (text: string): readonly JsonValue[] =>
    listOfConfig(text, MODULES).filter((element) => isUse(element, ids));
  const moved = moveUses(configText, usesIn, deployment);
  if (moved !== undefined) return moved;
  const taken = listOfConfig(configText, MODULES).map((element) => textMember(element, 'name'));
  const [id] = ids;
  const name = freeName(plainName(id), new Set(taken));
  return withElement(configText, MODULES, { type: 'registry', name, module_id: id, version });
}

/**
 * The text of a config that runs a module in whichever version: one that it runs already, or that its
 * fragments bring, stays as it is; else an entry is added.
 * @param resolved the same config with its fragments in place
 * @throws as `deployModule`
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

/** A module of the registry; one that is a file on the machine may carry its id for other reasons. */
function isUse(element: JsonValue, ids: readonly string[]): boolean {
  return ids.includes(textMember(element, 'module_id')) && textMember(element, 'type') !== 'local';
}

/** `acme:sonar` is called `acme_sonar` in configs; an organization's id says nothing to a person. */
function plainName(id: string): string {
  const [owner = '', name = id] = id.split(':');
  const isOrganizationId = /^[0-9a-f]{8}-/.test(owner);
  return (isOrganizationId ? name : `${owner}_${name}`).replaceAll(/[^\w-]/g, '-');
}
