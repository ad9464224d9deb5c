import { nearestName } from '../../../base/nearestName';
import type { RegistryItem } from '../../model/registryItem';
import type { ManifestDiagnostic } from './manifestDiagnostic';
import type { ModuleManifest } from './moduleManifest';

/** Maximum number of models to report. More of them wouldn't be helpful. */
const MAX_REPORTED = 20;

/**
 * Reports models that the module has in the registry but not in its manifest. Machines whose configs
 * use such a model start without the resource as soon as they get the next version. A model with a
 * similar name and the same API is probably the renamed one.
 */
export function checkPublishedModels(
  { models }: ModuleManifest,
  published: Pick<RegistryItem, 'models' | 'machinesUsing'>,
): readonly ManifestDiagnostic[] {
  const written = new Set(models.map(({ model }) => model));
  const known = new Set(published.models.map(({ model }) => model));
  const removed = published.models.filter(({ model }) => !written.has(model));
  return removed.slice(0, MAX_REPORTED).map(({ api, model }): ManifestDiagnostic => {
    const added = models.filter((one) => one.api === api && !known.has(one.model));
    const renamed = nearestName(
      model,
      added.map((one) => one.model),
    );
    const index = models.findIndex((one) => one.model === renamed);
    const list = models.length === 0 ? [] : ['models'];
    const path = renamed === undefined ? list : ['models', index, 'model'];
    return {
      code: renamed === undefined ? 'modelRemoved' : 'modelRenamed',
      severity: 'warning',
      args: [model, String(published.machinesUsing)],
      path,
      fixes: renamed === undefined ? [] : [{ kind: 'setValue', path, value: model }],
    };
  });
}
