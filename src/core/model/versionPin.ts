import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
} from './semanticVersion';

/** Pin for the newest version in configs, according to the public documentation of modules. */
export const LATEST = 'latest';
export const LATEST_WITH_PRERELEASE = 'latest-with-prerelease';

/** Pattern for version ranges: `1`, `1.2`, `1.2.*`, `^1`, `^1.2.3`, `~1.2`. */
const RANGE = /^([\^~]?)(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/;
const NUMBER = /^\d+$/;

/**
 * Returns the version that a pin resolves to in a config; undefined if no version matches or if the
 * pin's format is unknown.
 */
export function resolvePin(pin: string, versions: readonly string[]): string | undefined {
  if (versions.includes(pin)) return pin;
  return findNewest(versions.filter((version) => fits(pin, version)));
}

/**
 * Returns the new pin for a config in which the version must change to `target`: the same pin if it
 * resolves to that version; otherwise the same kind of pin with new numbers; otherwise the version
 * itself.
 * @param pin current pin; empty if the config leaves the version open and therefore uses the newest
 *   release.
 * @param target a version, or a pin that the user selected.
 */
export function movedPin(pin: string, target: string, versions: readonly string[]): string {
  const version = parseSemanticVersion(target);
  if (!version) return target;
  const all = [...new Set([...versions, target])];
  const candidates = [pin, moved(pin, version)];
  const fitting = candidates.find((one) => resolvePin(one === '' ? LATEST : one, all) === target);
  return fitting ?? target;
}

/**
 * Returns the versions that `latest` pins will resolve to after a version is deleted; empty if none
 * of these pins currently resolves to that version.
 */
export function resolvePinsWithout(
  version: string,
  versions: readonly string[],
): readonly { readonly pin: string; readonly next: string | undefined }[] {
  const others = versions.filter((one) => one !== version);
  return [LATEST, LATEST_WITH_PRERELEASE]
    .filter((pin) => resolvePin(pin, versions) === version)
    .map((pin) => ({ pin, next: resolvePin(pin, others) }));
}

function fits(pin: string, text: string): boolean {
  const version = parseSemanticVersion(text);
  if (!version) return false;
  if (pin === LATEST_WITH_PRERELEASE) return true;
  if (version.prerelease.length > 0) return false;
  return pin === LATEST || isInRange(pin, version);
}

function isInRange(pin: string, { major, minor, patch }: SemanticVersion): boolean {
  const [, operator, ...parts] = RANGE.exec(pin) ?? [];
  if (operator === undefined) return false;
  const numbers = parts.filter((part) => NUMBER.test(part)).map(Number);
  const version = [major, minor, patch];
  const fixed = fixedNumbers(operator, numbers);
  if (version.slice(0, fixed).some((number, index) => number !== numbers[index])) return false;
  const differing = version.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return differing < 0 || (version[differing] ?? 0) > (numbers[differing] ?? 0);
}

/**
 * Returns the number of fixed version numbers in a range. For `^`, these are the numbers up to the
 * first one that isn't 0.
 */
function fixedNumbers(operator: string, numbers: readonly number[]): number {
  if (operator === '~') return Math.min(2, numbers.length);
  if (operator === '') return numbers.length;
  const first = numbers.findIndex((number) => number !== 0);
  return first < 0 ? numbers.length : first + 1;
}

/** Returns the same kind of range for a different version. Returns other pins unchanged. */
function moved(pin: string, { major, minor, patch }: SemanticVersion): string {
  if (!RANGE.test(pin)) return pin;
  const numbers = [major, minor, patch].values();
  return pin.replaceAll(/\d+/g, () => String(numbers.next().value ?? 0));
}

function findNewest(versions: readonly string[]): string | undefined {
  const parsed = versions.flatMap((text) => {
    const version = parseSemanticVersion(text);
    return version ? [{ text, version }] : [];
  });
  return parsed.toSorted((a, b) => compareSemanticVersions(b.version, a.version)).at(0)?.text;
}
