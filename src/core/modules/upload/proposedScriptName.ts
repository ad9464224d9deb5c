import { itemNameOf } from '../../model/packageNames';
import type { RegistryItem } from '../../model/registryItem';

/** As the registry takes them. */
const LONGEST_NAME = 200;
const SUFFIX = '-training';

/**
 * The name that a training script most likely has: that of its folder or archive, as far as a name of the
 * registry may have it, and another one where something else has that name already.
 * @param file the last name of its path
 * @param items of the organization, of every type
 */
export function proposedScriptName(
  file: string,
  items: readonly Pick<RegistryItem, 'name' | 'type'>[],
): string {
  const name = itemNameOf(file.replace(/(\.tar)?\.t?gz$/, '')) || 'training-script';
  const others = new Set(
    items.filter(({ type }) => type !== 'trainingScript').map((item) => item.name),
  );
  const beginning = name.slice(0, LONGEST_NAME - SUFFIX.length - String(others.size).length - 1);
  let proposed = name;
  for (let number = 1; others.has(proposed); number += 1) {
    proposed = number === 1 ? `${beginning}${SUFFIX}` : `${beginning}${SUFFIX}-${String(number)}`;
  }
  return proposed;
}
