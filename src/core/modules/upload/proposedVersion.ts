import {
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
} from '../../model/semanticVersion';

/** Of a module that has none yet, as https://semver.org begins. */
const FIRST_VERSION = '0.1.0';
const NUMBER = /^\d+$/;

/**
 * The version that the next build most likely is: the patch after the newest, and after a prerelease the
 * next one of its kind (`1.2.0-rc.1` → `1.2.0-rc.2`). Never one that is there.
 * @param versions those that are there, in any order; what is no version is passed over
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
    ? textOf({ ...newest, patch: newest.patch + 1 })
    : textOf({ ...newest, prerelease: nextPrerelease(prerelease) });
}

/** The last number counts on; where none is, one is added. */
function nextPrerelease(prerelease: readonly string[]): readonly string[] {
  const index = prerelease.findLastIndex((part) => NUMBER.test(part));
  return index < 0
    ? [...prerelease, '1']
    : [...prerelease.slice(0, index), String(BigInt(prerelease[index] ?? '0') + 1n)];
}

function textOf({ major, minor, patch, prerelease }: SemanticVersion): string {
  const release = [major, minor, patch].join('.');
  return prerelease.length === 0 ? release : `${release}-${prerelease.join('.')}`;
}
