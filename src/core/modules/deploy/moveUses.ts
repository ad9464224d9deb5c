import { appendMember, memberValue, replaceValue } from '../../documents/jsonMembers';
import type { JsonValue } from '../../documents/jsonTree';
import { movedPin } from '../../model/versionPin';
import { textMember } from './configList';

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

/** Returns the use of a registry item that an element of a config describes. */
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
