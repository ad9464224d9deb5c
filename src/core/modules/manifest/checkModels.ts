import type { ManifestFinding, ManifestFix, ManifestPath } from './manifestFinding';
import { isModuleId, isTriplet, suggestApi, suggestKnownApi, suggestModel } from '../moduleNames';
import type { ModuleManifest } from './moduleManifest';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Reports problems with models that the registry would reject or not show as intended. */
export function* checkModels({ models, moduleId }: ModuleManifest): Generator<ManifestFinding> {
  const seen = new Set<string>();
  for (const [index, { api, model }] of models.entries()) {
    const path = ['models', index];
    const severity = 'error';
    yield* checkApi(api, [...path, 'api']);
    const details = { path: [...path, 'model'], args: [model] };
    if (!isTriplet(model)) {
      const fixes = setTo(details.path, suggestModel(model, moduleId));
      yield { code: 'modelForm', severity, ...details, fixes };
      continue;
    }
    const identity = `${api} ${model}`;
    if (seen.has(identity)) {
      yield { code: 'modelRepeated', severity, ...details, fixes: [{ kind: 'removeValue', path }] };
    }
    seen.add(identity);
    yield* checkNamespace(model, details.path, moduleId);
  }
}

function* checkApi(api: string, path: ManifestPath): Generator<ManifestFinding> {
  if (!isTriplet(api)) {
    const fixes = setTo(path, suggestApi(api));
    yield { code: 'modelApiForm', severity: 'error', args: [api], path, fixes };
    return;
  }
  const suggestion = suggestKnownApi(api);
  if (suggestion === undefined) return;
  const fixes = setTo(path, suggestion);
  yield { code: 'modelApiUnknown', severity: 'warning', args: [api, suggestion], path, fixes };
}

/** Reports published models whose names are outside the organization's namespace. */
function* checkNamespace(
  model: string,
  path: ManifestPath,
  moduleId: string,
): Generator<ManifestFinding> {
  const [namespace = ''] = moduleId.split(':');
  const [written = '', ...rest] = model.split(':');
  if (!isModuleId(moduleId) || UUID.test(namespace) || written === namespace) return;
  yield {
    code: 'modelOfOthers',
    severity: 'warning',
    args: [written, namespace],
    path,
    fixes: setTo(path, [namespace, ...rest].join(':')),
  };
}

function setTo(path: ManifestPath, value: string | undefined): readonly ManifestFix[] {
  return value === undefined ? [] : [{ kind: 'setValue', path, value }];
}
