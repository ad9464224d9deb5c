import { isList, isObject, memberOf } from '../../core/fragments/configValue';

const ITEM_ID = /^[^:]+:.+$/;

/**
 * The ids of the registry items that the text of a config names itself, each once: `module_id` of
 * its modules, and `package` of its packages, where a slash stands between owner and name.
 */
export function registryItemIdsOf(configJson: string): string[] {
  const config: unknown = JSON.parse(configJson);
  const ids = [
    ...textsOf(config, 'modules', 'module_id'),
    ...textsOf(config, 'packages', 'package').map((path) => path.replace('/', ':')),
  ];
  return [...new Set(ids.filter((id) => ITEM_ID.test(id)))];
}

function textsOf(config: unknown, section: string, key: string): string[] {
  const list = isObject(config) ? memberOf(config, section) : undefined;
  const entries = isList(list) ? list : [];
  return entries
    .map((entry) => (isObject(entry) ? memberOf(entry, key) : undefined))
    .filter((value) => typeof value === 'string');
}
