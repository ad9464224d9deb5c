import type { RegistryItem } from '../../model/registryItem';
import type { ModuleManifest } from '../manifest/moduleManifest';

/**
 * What the registry says about a module, as a manifest says it: where there is none, builds are held
 * against this. Undefined for a module of which nothing was said yet.
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
