import { appendMember, memberValue, replaceValue } from '../../documents/jsonMembers';
import type { JsonValue } from '../../documents/jsonTree';
import { movedPin } from '../../model/versionPin';
import { textMember } from './configList';

/** Something of the registry that a config is to have, and in which version. */
export interface Deployment {
  /** The ids by which configs may name it; a new entry is written with the first one. */
  readonly ids: readonly [string, ...string[]];
  /** A version, or how it is chosen, such as `latest`. */
  readonly version: string;
  /** All versions that it has. */
  readonly versions: readonly string[];
}

/** How a config uses something of the registry. */
export interface RegistryUse {
  /** What the config calls it; empty when it does not say. */
  readonly name: string;
  /** As it is written, such as `1.0.0` or `latest`; empty when the config leaves it open. */
  readonly version: string;
}

/** How an element of a config uses something of the registry. */
export function registryUse(element: JsonValue): RegistryUse {
  return { name: textMember(element, 'name'), version: textMember(element, 'version') };
}

/**
 * The text of a config with the wanted version wherever it uses something. How the version is chosen stays
 * (`latest`, `^1`, or not said at all) where that comes to the wanted one. Only what changes is touched.
 * @param usesIn the elements that use it, always in the same order
 * @returns undefined when nothing does
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
  // It is left open, and stays so.
  if (version === textMember(use, 'version')) return use.text;
  const written = memberValue(use, 'version');
  return written
    ? replaceValue(written, JSON.stringify(version))
    : appendMember(use, JSON.stringify('version'), JSON.stringify(version));
}
