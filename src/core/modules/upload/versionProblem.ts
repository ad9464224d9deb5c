import type { RegistryVersion } from '../../model/registryItem';
import {
  compareSemanticVersions,
  findSameVersion,
  parseSemanticVersion,
} from '../../model/semanticVersion';
import type { Platform } from '../platforms';

/** The service takes no longer one (rule `module.version` of the contract). */
const LONGEST_VERSION = 100;

/** What is to be said of a version before it is uploaded. */
export type VersionProblem =
  | { readonly kind: 'form' }
  | { readonly kind: 'tooLong' }
  /** These platforms have an archive of it; the registry takes no other for them. */
  | { readonly kind: 'taken'; readonly platforms: readonly Platform[] }
  /** Another version differs only in build metadata, which the registry rejects. */
  | { readonly kind: 'same'; readonly other: string }
  /** No mistake, but seldom meant: machines that take the newest do not take it. */
  | { readonly kind: 'older'; readonly newest: string };

/** Holds a version against those that are there. @param platforms that are about to be uploaded */
export function versionProblem(
  text: string,
  versions: readonly RegistryVersion[],
  platforms: readonly Platform[],
): VersionProblem | undefined {
  if (text.length > LONGEST_VERSION) return { kind: 'tooLong' };
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
  // Machines that take the newest take no prerelease, so a release is only held against releases.
  const isRelease = version.prerelease.length === 0;
  const newest = newestOf(versions, isRelease);
  const isOlder = newest && compareSemanticVersions(version, newest.parsed) < 0;
  return isOlder ? { kind: 'older', newest: newest.text } : undefined;
}

/** Of versions that are there; undefined where none is. */
export function newestVersion(versions: readonly RegistryVersion[]): string | undefined {
  return newestOf(versions)?.text;
}

function newestOf(versions: readonly RegistryVersion[], onlyReleases = false) {
  return versions
    .flatMap(({ version: text }) => {
      const parsed = parseSemanticVersion(text);
      return parsed ? [{ text, parsed }] : [];
    })
    .filter(({ parsed }) => !onlyReleases || parsed.prerelease.length === 0)
    .toSorted((one, other) => compareSemanticVersions(one.parsed, other.parsed))
    .at(-1);
}
