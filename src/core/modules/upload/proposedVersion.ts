import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
} from '../../model/semanticVersion';

/** First version of a module, following https://semver.org. */
const FIRST_VERSION = '0.1.0';
const NUMBER = /^\d+$/;

/**
 * Proposes the version for the next build: the next patch version after the newest version or, if
 * that is a prerelease, the next prerelease of the same kind (`1.2.0-rc.1` → `1.2.0-rc.2`). Never
 * proposes an existing version.
 * @param versions existing versions, in any order; invalid ones are ignored
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
