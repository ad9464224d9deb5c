import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
} from './semanticVersion';

/** How configs say that they follow what is newest, as the public documentation of modules has it. */
export const LATEST = 'latest';
export const LATEST_WITH_PRERELEASE = 'latest-with-prerelease';

/** A part of versions: `1`, `1.2`, `1.2.*`, `^1`, `^1.2.3`, `~1.2`. */
const RANGE = /^([\^~]?)(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/;
const NUMBER = /^\d+$/;

/**
 * Which of the versions a config gets that asks for `pin`; undefined when none fits, or when the pin
 * is in no form that is known.
 */
export function versionOfPin(pin: string, versions: readonly string[]): string | undefined {
  if (versions.includes(pin)) return pin;
  return newest(versions.filter((version) => fits(pin, version)));
}

/**
 * What a config says that has said `pin` and is to get `wanted`. It goes on to say the same where that
 * comes to the wanted version; else the same kind of pin, moved; else the version itself.
 * @param pin empty where the config leaves the version open, and so follows the newest release.
 * @param wanted a version, or a pin that somebody chose.
 */
export function movedPin(pin: string, wanted: string, versions: readonly string[]): string {
  const version = parseSemanticVersion(wanted);
  if (!version) return wanted;
  const all = [...new Set([...versions, wanted])];
  const candidates = [pin, moved(pin, version)];
  const fitting = candidates.find((one) => versionOfPin(one === '' ? LATEST : one, all) === wanted);
  return fitting ?? wanted;
}

/**
 * What configs that follow the newest version of a module get once a version is deleted, which is what
 * they get now; none for a version that nobody gets so.
 */
export function followersWithout(
  version: string,
  versions: readonly string[],
): readonly { readonly pin: string; readonly next: string | undefined }[] {
  const others = versions.filter((one) => one !== version);
  return [LATEST, LATEST_WITH_PRERELEASE]
    .filter((pin) => versionOfPin(pin, versions) === version)
    .map((pin) => ({ pin, next: versionOfPin(pin, others) }));
}

function fits(pin: string, text: string): boolean {
  const version = parseSemanticVersion(text);
  if (!version) return false;
  if (pin === LATEST_WITH_PRERELEASE) return true;
  if (version.prerelease.length > 0) return false;
  return pin === LATEST || isInRange(pin, version);
}

function isInRange(pin: string, { major, minor, patch }: SemanticVersion): boolean {
  const [, operator, ...given] = RANGE.exec(pin) ?? [];
  if (operator === undefined) return false;
  const numbers = given.filter((part) => NUMBER.test(part)).map(Number);
  const version = [major, minor, patch];
  const fixed = fixedNumbers(operator, numbers);
  if (version.slice(0, fixed).some((number, index) => number !== numbers[index])) return false;
  const differing = version.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return differing < 0 || (version[differing] ?? 0) > (numbers[differing] ?? 0);
}

/** How many of a range's numbers stay as they are: with `^` up to the first that is not 0. */
function fixedNumbers(operator: string, numbers: readonly number[]): number {
  if (operator === '~') return Math.min(2, numbers.length);
  if (operator === '') return numbers.length;
  const first = numbers.findIndex((number) => number !== 0);
  return first < 0 ? numbers.length : first + 1;
}

/** The same kind of range around another version; anything else as it is. */
function moved(pin: string, { major, minor, patch }: SemanticVersion): string {
  if (!RANGE.test(pin)) return pin;
  const numbers = [major, minor, patch].values();
  return pin.replaceAll(/\d+/g, () => String(numbers.next().value ?? 0));
}

function newest(versions: readonly string[]): string | undefined {
  const parsed = versions.flatMap((text) => {
    const version = parseSemanticVersion(text);
    return version ? [{ text, version }] : [];
  });
  return parsed.toSorted((a, b) => compareSemanticVersions(b.version, a.version)).at(0)?.text;
}
