import { toItemName } from '../../model/packageNames';
import type { RegistryItem } from '../../model/registryItem';

/** Maximum length of a name that the registry accepts. */
const MAX_NAME_LENGTH = 200;
const SUFFIX = '-training';

/**
 * Proposes a name for a training script: the name of its folder or archive, with only valid
 * characters, adjusted if the name is taken.
 * @param file last segment of the path
 * @param items items of all types in the organization
 */
export function proposedScriptName(
  file: string,
  items: readonly Pick<RegistryItem, 'name' | 'type'>[],
): string {
  const name = toItemName(file.replace(/(\.tar)?\.t?gz$/, '')) || 'training-script';
  const others = new Set(
    items.filter(({ type }) => type !== 'trainingScript').map((item) => item.name),
  );
  const beginning = name.slice(0, MAX_NAME_LENGTH - SUFFIX.length - String(others.size).length - 1);
  let proposed = name;
  for (let number = 1; others.has(proposed); number += 1) {
    proposed = number === 1 ? `${beginning}${SUFFIX}` : `${beginning}${SUFFIX}-${String(number)}`;
  }
  return proposed;
}
