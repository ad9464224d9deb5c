/** Version in the format of https://semver.org. */
export interface SemanticVersion {
  major: number;
  minor: number;
  patch: number;
  /** Identifiers after the dash, separated by periods; empty for a release. */
  prerelease: readonly string[];
}

const FORM =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const NUMBER = /^\d+$/;
const LEADING_ZERO = /^0\d+$/;

/**
 * Parses a version; returns undefined for invalid versions, such as `v1.0.0` and `1.0`. Like npm's
 * semver, rejects numbers that a double can't represent exactly, because they couldn't be compared.
 */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, suffix = ''] = FORM.exec(text) ?? [];
  const prerelease = suffix === '' ? [] : suffix.split('.');
  if (major === undefined || prerelease.some((part) => LEADING_ZERO.test(part))) return undefined;
  const version = { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease };
  const isExact = [version.major, version.minor, version.patch].every(Number.isSafeInteger);
  return isExact ? version : undefined;
}

/**
 * Compares versions by precedence. Returns a negative number if the left version is older. Ignores
 * build metadata.
 */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  return (
    left.major - right.major ||
    left.minor - right.minor ||
    left.patch - right.patch ||
    comparePrereleases(left.prerelease, right.prerelease)
  );
}

/**
 * Returns the version that differs from the given one only in build metadata. Build metadata
 * doesn't affect precedence, so neither of the two versions would be the newest.
 */
export function findSameVersion(text: string, others: readonly string[]): string | undefined {
  const version = parseSemanticVersion(text);
  if (!version) return undefined;
  return others.find((other) => {
    const parsed = other === text ? undefined : parseSemanticVersion(other);
    return parsed !== undefined && compareSemanticVersions(version, parsed) === 0;
  });
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, part] of left.entries()) {
    const other = right[index];
    const order = other === undefined ? 1 : compareParts(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/**
 * Compares two identifiers. Numeric identifiers are compared by value and have lower precedence
 * than alphanumeric identifiers.
 */
function compareParts(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [NUMBER.test(left), NUMBER.test(right)];
  if (leftIsNumber && rightIsNumber) return left.length - right.length || compareTexts(left, right);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return compareTexts(left, right);
}

function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
