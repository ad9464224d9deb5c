import type { RegistryItem } from '../../model/registryItem';
import type { ModuleManifest } from '../manifest/moduleManifest';

/**
 * Converts the registry's data about a module to a manifest, for checking builds without a
 * manifest. Returns undefined for a module without data.
 */
export function knownManifest({
  id,
  entrypoint,
  firstRun,
  url,
  description,
}: Pick<RegistryItem, 'id' | 'entrypoint' | 'firstRun' | 'url' | 'description'>):
  | ModuleManifest
  | undefined {
  if (entrypoint === '') return undefined;
  return {
    moduleId: id,
    ...{ entrypoint, firstRun, url, description },
    ...{ visibility: undefined, markdownLink: undefined, models: [], apps: [] },
    build: {
      ...{ setup: undefined, build: undefined, path: undefined },
      ...{ arch: [], darwinDependencies: [] },
    },
  };
}
