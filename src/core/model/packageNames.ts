import type { RegistryItem } from './registryItem';

/** Pattern for the item names that the registry accepts. */
const NAME = /^[A-Za-z0-9_-]{1,200}$/;
const NOT_IN_NAMES = /[^A-Za-z0-9_-]+/g;
/**
 * Pattern for the versions that the API contract accepts (rule `package.version`). `latest` can't
 * be a version name.
 */
const VERSION = /^[0-9A-Za-z][0-9A-Za-z._+-]{0,99}$/;

/** Returns true if a string is a valid name for a registry item. */
export function isItemName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Removes characters that are invalid in a registry name. Returns an empty string if no characters
 * remain.
 */
export function toItemName(text: string): string {
  return text
    .replace(NOT_IN_NAMES, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 200);
}

/**
 * Returns true if a string is a valid version for a model, a training script, or another package.
 */
export function isPackageVersion(text: string): boolean {
  return VERSION.test(text) && text !== 'latest';
}

const ANY = 'any';

/** Returns the platforms whose archives run on the given platform, the best match first. */
export function platformsFor(platform: string): string[] {
  const [system = ''] = platform.split('/');
  return [...new Set([platform, `${system}/${ANY}`, ANY])];
}

const SYSTEMS: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
  ['arm', 'arm32v7'],
]);

/**
 * Combines a system and an architecture into a platform name, even one that the registry doesn't
 * support.
 *
 * @param system Node's `process.platform`
 * @param architecture Node's `process.arch`
 */
export function platformName(system: string, architecture: string): string {
  return `${SYSTEMS.get(system) ?? system}/${ARCHITECTURES.get(architecture) ?? architecture}`;
}

/** Maximum length of a name that the registry accepts. */
const MAX_NAME_LENGTH = 200;
const SUFFIX = '-training';

/**
 * Proposes a name for a training script: the name of its folder or archive, restricted to valid
 * characters and adjusted if the name is taken.
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
