import { type ConfigObject, isList, isObject, memberOf } from './configValue';

const ITEM_ID = /^[^:]+:.+$/;

/** A registry item that a config names, and in which version. */
interface RegistryReference {
  /** `owner:name` */
  itemId: string;
  /** As it is written; empty when it is not. */
  version: string;
}

/** The ids of the registry items that the text of a config names itself, each once. */
export function registryItemIdsOf(configJson: string): string[] {
  return registryItemIdsIn(JSON.parse(configJson));
}

/** The same for a config that was parsed. */
export function registryItemIdsIn(config: unknown): string[] {
  return [...new Set(registryReferencesIn(config).map(({ itemId }) => itemId))];
}

/**
 * The registry items that the text of a config names itself: `module_id` of its modules, and
 * `package` of its packages, where a slash stands between owner and name.
 */
export function registryReferencesOf(configJson: string): RegistryReference[] {
  return registryReferencesIn(JSON.parse(configJson));
}

/** The same for a config that was parsed. */
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
