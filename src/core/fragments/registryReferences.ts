import { type ConfigObject, isList, isObject, memberOf } from './configValue';

const ITEM_ID = /^[^:]+:.+$/;

/** Registry item that a config names, and its version. */
interface RegistryReference {
  /** `owner:name` */
  itemId: string;
  /** Version as written; empty if not specified. */
  version: string;
}

/** Returns the IDs of the registry items that a config text names directly, each once. */
export function registryItemIdsOf(configJson: string): string[] {
  return registryItemIdsIn(JSON.parse(configJson));
}

/** Like `registryReferencesOf`, for a parsed config. */
export function registryItemIdsIn(config: unknown): string[] {
  return [...new Set(registryReferencesIn(config).map(({ itemId }) => itemId))];
}

/**
 * Returns the registry items that a config text names directly: `module_id` of its modules, and
 * `package` of its packages, with a slash between owner and name.
 */
export function registryReferencesOf(configJson: string): RegistryReference[] {
  return registryReferencesIn(JSON.parse(configJson));
}

/** Like `registryReferencesOf`, for a parsed config. */
export function registryReferencesIn(config: unknown): RegistryReference[] {
  return [
    ...entriesOf(config, 'modules').map((entry) => referenceOf(entry, textOf(entry, 'module_id'))),
    ...entriesOf(config, 'packages').map((entry) =>
      referenceOf(entry, textOf(entry, 'package').replace('/', ':')),
    ),
  ].filter(({ itemId }) => ITEM_ID.test(itemId));
}

function referenceOf(entry: ConfigObject, itemId: string): RegistryReference {
  return { itemId, version: textOf(entry, 'version') };
}

function entriesOf(config: unknown, section: string): ConfigObject[] {
  const list = isObject(config) ? memberOf(config, section) : undefined;
  return isList(list) ? list.filter(isObject) : [];
}

function textOf(entry: ConfigObject, key: string): string {
  const value = memberOf(entry, key);
  return typeof value === 'string' ? value : '';
}
