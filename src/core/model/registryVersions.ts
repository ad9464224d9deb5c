import type { RegistryVersion } from './registryItem';
import { compareSemanticVersions, parseSemanticVersion } from './semanticVersion';

/**
 * Sorts the versions of a module by version number, newest first, because an older version can be
 * uploaded later. Other versions follow the semantic versions, most recent first.
 */
export function inVersionOrder(versions: readonly RegistryVersion[]): readonly RegistryVersion[] {
  return versions
    .toReversed()
    .map((version) => ({ version, parsed: parseSemanticVersion(version.version) }))
    .sort((one, other) => {
      if (!one.parsed || !other.parsed) return Number(!one.parsed) - Number(!other.parsed);
      return compareSemanticVersions(other.parsed, one.parsed);
    })
    .map(({ version }) => version);
}
