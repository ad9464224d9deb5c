import type { RegistryVersion } from '../../model/registryItem';
import {
  compareSemanticVersions,
  findSameVersion,
  parseSemanticVersion,
  type SemanticVersion,
} from '../../model/semanticVersion';
import type { Platform } from '../platforms';
import type { Localizer } from '../../../base/localizer';

/**
 * Maximum length of a version that the service accepts (rule `module.version` in the API contract).
 */
const MAX_VERSION_LENGTH = 100;

/** Problem with a version that is about to be uploaded. */
export type VersionProblem =
  | { readonly kind: 'form' }
  | { readonly kind: 'tooLong' }
  /**
   * The version already has archives for these platforms, and the registry doesn't replace them.
   */
  | { readonly kind: 'taken'; readonly platforms: readonly Platform[] }
  /** Another version differs only in build metadata, which the registry rejects. */
  | { readonly kind: 'same'; readonly other: string }
  /**
   * The version is valid, but older than the newest version. This is rarely intended, because
   * machines that use the newest version won't use it.
   */
  | { readonly kind: 'older'; readonly newest: string };

/** Validates a version against the existing versions. @param platforms platforms to be uploaded */
export function versionProblem(
  text: string,
  versions: readonly RegistryVersion[],
  platforms: readonly Platform[],
): VersionProblem | undefined {
  if (text.length > MAX_VERSION_LENGTH) return { kind: 'tooLong' };
  const version = parseSemanticVersion(text);
  if (!version) return { kind: 'form' };
  const there = versions.find((one) => one.version === text);
  if (there) {
    const files = new Set(there.files.map(({ platform }) => platform));
    const taken = platforms.filter((platform) => files.has(platform));
    return taken.length > 0 ? { kind: 'taken', platforms: taken } : undefined;
  }
  const other = findSameVersion(
    text,
    versions.map((one) => one.version),
  );
  if (other !== undefined) return { kind: 'same', other };
  // Machines that use the newest version don't use prereleases, so a release is compared only with
  // releases.
  const isRelease = version.prerelease.length === 0;
  const newest = findNewest(versions, isRelease);
  const isOlder = newest && compareSemanticVersions(version, newest.parsed) < 0;
  return isOlder ? { kind: 'older', newest: newest.text } : undefined;
}

/** Returns the newest of the existing versions; undefined if there are no versions. */
export function findNewestVersion(versions: readonly RegistryVersion[]): string | undefined {
  return findNewest(versions)?.text;
}

function findNewest(versions: readonly RegistryVersion[], onlyReleases = false) {
  return versions
    .flatMap(({ version: text }) => {
      const parsed = parseSemanticVersion(text);
      return parsed ? [{ text, parsed }] : [];
    })
    .filter(({ parsed }) => !onlyReleases || parsed.prerelease.length === 0)
    .toSorted((one, other) => compareSemanticVersions(one.parsed, other.parsed))
    .at(-1);
}

/** Formats an error or warning for users about a version to upload. */
export function formatVersionProblem(problem: VersionProblem, l10n: Localizer): string {
  switch (problem.kind) {
    case 'form':
      return l10n.t(
        'A version must have three numbers, such as 1.2.3, and can have a suffix, such as 1.2.3-rc.1.',
      );
    case 'tooLong':
      return l10n.t('This version is too long.');
    case 'taken':
      return l10n.t('This version was already uploaded for {0}.', problem.platforms.join(', '));
    case 'same':
      return l10n.t(
        "This version differs from {0} only after the plus sign, which doesn't affect the order of versions. Use another number.",
        problem.other,
      );
    case 'older':
      return l10n.t(
        'This version is older than {0}. Machines that track the latest version ignore it.',
        problem.newest,
      );
  }
}

/** First version of a module, following https://semver.org. */
const FIRST_VERSION = '0.1.0';
const NUMBER = /^\d+$/;

/**
 * Proposes the version for the next build: the next patch version after the newest version or, if
 * that is a prerelease, the next prerelease of the same kind (`1.2.0-rc.1` → `1.2.0-rc.2`). Never
 * proposes an existing version.
 * @param versions existing versions, in any order; invalid versions are ignored
 */
export function proposedVersion(versions: readonly string[]): string {
  const newest = versions
    .map(parseSemanticVersion)
    .filter((version) => version !== undefined)
    .toSorted(compareSemanticVersions)
    .at(-1);
  if (!newest) return FIRST_VERSION;
  const { prerelease } = newest;
  return prerelease.length === 0
    ? formatVersion({ ...newest, patch: newest.patch + 1 })
    : formatVersion({ ...newest, prerelease: nextPrerelease(prerelease) });
}

/** Increments the last number of a prerelease, or appends a number if there is none. */
function nextPrerelease(prerelease: readonly string[]): readonly string[] {
  const index = prerelease.findLastIndex((part) => NUMBER.test(part));
  return index < 0
    ? [...prerelease, '1']
    : [...prerelease.slice(0, index), String(BigInt(prerelease[index] ?? '0') + 1n)];
}

function formatVersion({ major, minor, patch, prerelease }: SemanticVersion): string {
  const release = [major, minor, patch].join('.');
  return prerelease.length === 0 ? release : `${release}-${prerelease.join('.')}`;
}
