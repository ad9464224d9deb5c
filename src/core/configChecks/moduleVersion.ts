import type { RegistryItem } from '../model/registryItem';
import { LATEST, resolvePin } from '../model/versionPin';
import { findNewestRelease } from '../modules/deploy/moduleUse';

/** Version that a config specifies for a module, compared with the versions in the registry. */
export interface ModuleVersion {
  /** `outdated` if there is a newer release. A pin that isn't a version itself is never outdated. */
  readonly state: 'current' | 'outdated' | 'deprecated' | 'unknown';
  /** Version to which the text resolves; undefined if it's unknown. */
  readonly resolved: string | undefined;
  /** Reason why the version is deprecated. */
  readonly deprecated: string | undefined;
  /** Release to use instead; undefined if the version is current or the module has no release. */
  readonly replacement: string | undefined;
}

/**
 * Compares a version or pin with a module's versions. An empty version means the newest release.
 */
export function compareModuleVersion(
  written: string,
  module: Pick<RegistryItem, 'versions'>,
): ModuleVersion {
  const versions = module.versions.map(({ version }) => version);
  const resolved = resolvePin(written === '' ? LATEST : written, versions);
  const deprecated = module.versions.find(({ version }) => version === written)?.deprecated;
  const release = findNewestRelease(module);
  const toState = (): ModuleVersion['state'] => {
    // A new module doesn't have versions yet.
    if (versions.length === 0) return 'current';
    if (resolved === undefined) return written === '' || written === LATEST ? 'current' : 'unknown';
    if (deprecated) return 'deprecated';
    // Versions are newest first.
    const isOlder = release !== undefined && versions.indexOf(written) > versions.indexOf(release);
    return isOlder ? 'outdated' : 'current';
  };
  const state = toState();
  return { state, resolved, deprecated, replacement: state === 'current' ? undefined : release };
}
