import { type ConfigObject, isList, isObject, getMember, getStringMember } from './configValue';

const ITEM_ID = /^[^:]+:.+$/;

/** Registry item that a config references, and its version. */
interface RegistryReference {
  /** ID in the form `owner:name`. */
  itemId: string;
  /** Version as written; empty if not specified. */
  version: string;
}

/** Returns the distinct IDs of the registry items that a config references directly. */
export function parseRegistryItemIds(configJson: string): string[] {
  return registryItemIdsIn(JSON.parse(configJson));
}

/** Like `parseRegistryReferences`, but for a parsed config. */
export function registryItemIdsIn(config: unknown): string[] {
  return [...new Set(registryReferencesIn(config).map(({ itemId }) => itemId))];
}

/**
 * Returns the registry items that a config references directly: the `module_id` of its modules, and
 * the `package` of its packages, which has a slash between the owner and the name.
 */
export function parseRegistryReferences(configJson: string): RegistryReference[] {
  return registryReferencesIn(JSON.parse(configJson));
}

/** Like `parseRegistryReferences`, but for a parsed config. */
export function registryReferencesIn(config: unknown): RegistryReference[] {
  return [
    ...getEntries(config, 'modules').map((entry) =>
      toReference(entry, getStringMember(entry, 'module_id')),
    ),
    ...getEntries(config, 'packages').map((entry) =>
      toReference(entry, getStringMember(entry, 'package').replace('/', ':')),
    ),
  ].filter(({ itemId }) => ITEM_ID.test(itemId));
}

function toReference(entry: ConfigObject, itemId: string): RegistryReference {
  return { itemId, version: getStringMember(entry, 'version') };
}

function getEntries(config: unknown, section: string): ConfigObject[] {
  const list = isObject(config) ? getMember(config, section) : undefined;
  return isList(list) ? list.filter(isObject) : [];
}
