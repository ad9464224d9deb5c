import type { RegistryVersion } from './registryItem';
import { compareSemanticVersions, parseSemanticVersion } from './semanticVersion';

/**
 * Versions of a module, the newest first, by what they are called: an older one may be uploaded later.
 * What is no semantic version stays behind those that are, the last told first.
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
