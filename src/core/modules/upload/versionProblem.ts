import type { RegistryVersion } from '../../model/registryItem';
import {
  compareSemanticVersions,
  findSameVersion,
  parseSemanticVersion,
} from '../../model/semanticVersion';
import type { Platform } from '../platforms';

/**
 * Maximum length of a version that the service accepts (rule `module.version` of the API contract).
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
