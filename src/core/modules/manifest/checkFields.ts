import type { Node } from 'jsonc-parser';
import { nearestName } from '../../../base/nearestName';
import { isPlatform, type Platform, PLATFORMS } from '../platforms';
import type {
  FieldCode,
  ManifestDiagnostic,
  ManifestFix,
  ManifestPath,
} from './manifestDiagnostic';
import { findField } from './manifestPath';
import { isModuleId, isTriplet, suggestApi, suggestKnownApi, suggestModel } from '../moduleNames';
import { MANIFEST_VISIBILITIES, type ModuleManifest } from './moduleManifest';

/** Maximum length of words that are compared with known words. */
const MAX_WORD_LENGTH = 100;

/**
 * Reports manifest fields that the registry rejects, regardless of the build (spec part 3,
 * UpdateModule).
 */
export function* checkFields(manifest: ModuleManifest, root: Node): Generator<ManifestDiagnostic> {
  yield* checkModuleId(manifest);
  yield* checkVisibility(root);
  yield* checkUrl(manifest);
  yield* checkPlatforms(manifest);
  yield* checkModels(manifest);
  yield* checkApps(manifest, root);
}

function* checkModuleId({ moduleId }: ModuleManifest): Generator<ManifestDiagnostic> {
  if (moduleId.trim() === '') {
    yield createDiagnostic('moduleIdMissing', ['module_id'], [], [{ kind: 'create' }]);
  } else if (!isModuleId(moduleId)) {
    yield createDiagnostic('moduleIdForm', ['module_id'], [moduleId]);
  }
}

function* checkVisibility(root: Node): Generator<ManifestDiagnostic> {
  const path = ['visibility'];
  const written: unknown = findField(root, path)?.value.value;
  const known = Object.values(MANIFEST_VISIBILITIES);
  if (typeof written !== 'string' || written === '' || known.includes(written)) return;
  const word = written.slice(0, MAX_WORD_LENGTH).toLowerCase().replaceAll('-', '_');
  const nearest = nearestName(word, known) ?? known.find((name) => name.endsWith(word));
  const suggestions = nearest === undefined ? known : [nearest];
  yield createDiagnostic(
    'visibilityUnknown',
    path,
    [written],
    suggestions.flatMap((value) => setTo(path, value)),
  );
}

function* checkUrl({ url }: ModuleManifest): Generator<ManifestDiagnostic> {
  if (url === '') return;
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'https:' || protocol === 'http:') return;
  const completed = `https://${url}`;
  const isHost = /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(url) && URL.canParse(completed);
  yield createDiagnostic('urlForm', ['url'], [url], isHost ? setTo(['url'], completed) : []);
}

function* checkPlatforms({ build }: ModuleManifest): Generator<ManifestDiagnostic> {
  const seen = new Set<string>();
  for (const [index, written] of build.arch.entries()) {
    const path = ['build', 'arch', index];
    if (isPlatform(written)) {
      const isRepeated = seen.has(written);
      seen.add(written);
      if (!isRepeated) continue;
      const fixes: ManifestFix[] = [{ kind: 'removeValue', path }];
      yield {
        ...createDiagnostic('platformRepeated', path, [written], fixes),
        severity: 'warning',
      };
    } else if (written !== '') {
      const suggestion = inferPlatform(written);
      yield createDiagnostic(
        'platformUnknown',
        path,
        [written],
        suggestion ? setTo(path, suggestion) : [],
      );
    }
  }
}

function createDiagnostic(
  code: FieldCode,
  path: ManifestPath,
  args: readonly string[] = [],
  fixes: readonly ManifestFix[] = [],
): ManifestDiagnostic {
  return { code, severity: 'error', args, path, fixes };
}

const NAME = /^[A-Za-z0-9_-]+$/;

/** Types of applications: for one machine or for multiple machines. */
export const APP_TYPES: readonly string[] = ['single_machine', 'multi_machine'];

/** Reports problems with web applications that the registry rejects. */
function* checkApps({ apps }: ModuleManifest, root: Node): Generator<ManifestDiagnostic> {
  const field = appsField(root);
  const seen = new Set<string>();
  for (const [index, { name, type }] of apps.entries()) {
    const severity = 'error';
    const ofName = { path: [field, index, 'name'], args: [name], fixes: [] };
    if (!NAME.test(name)) yield { code: 'appName', severity, ...ofName };
    else if (seen.has(name)) yield { code: 'appNameRepeated', severity, ...ofName };
    seen.add(name);
    if (APP_TYPES.includes(type)) continue;
    const path = [field, index, 'type'];
    const nearest = nearestName(type.slice(0, MAX_WORD_LENGTH), APP_TYPES);
    const suggestions = nearest === undefined ? APP_TYPES : [nearest];
    yield {
      code: 'appType',
      severity,
      args: [type],
      path,
      fixes: suggestions.map((value) => ({ kind: 'setValue', path, value })),
    };
  }
}

/** Returns the name of the field that contains a manifest's applications. */
export function appsField(root: Node): 'applications' | 'apps' {
  const value = findField(root, ['applications'])?.value;
  return value && value.type !== 'null' ? 'applications' : 'apps';
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Reports problems with models that the registry would reject or not show as intended. */
function* checkModels({ models, moduleId }: ModuleManifest): Generator<ManifestDiagnostic> {
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

function* checkApi(api: string, path: ManifestPath): Generator<ManifestDiagnostic> {
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
): Generator<ManifestDiagnostic> {
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

/** Synonyms that compilers and distributions use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  x64: 'amd64',
  aarch64: 'arm64',
  arm64v8: 'arm64',
  armv8: 'arm64',
  armv8l: 'arm64',
  armv7: 'arm32v7',
  armv7l: 'arm32v7',
  armhf: 'arm32v7',
  arm: 'arm32v7',
  armv6: 'arm32v6',
  armv6l: 'arm32v6',
  armel: 'arm32v6',
  i386: '386',
  i486: '386',
  i586: '386',
  i686: '386',
  x86: '386',
  macos: 'darwin',
  osx: 'darwin',
  mac: 'darwin',
  win: 'windows',
  win32: 'windows',
  win64: 'windows',
};
const ARCHITECTURE = /^(?:amd|arm|386)/;

/**
 * Returns the platform whose name is most similar to an invalid name; undefined if no name is
 * similar.
 */
function inferPlatform(written: string): Platform | undefined {
  if (written.length > MAX_WORD_LENGTH) return undefined;
  const words = written
    .trim()
    .toLowerCase()
    .replace(/x86[_-]64/, 'amd64')
    .replace(/arm\/v(?=[67])/, 'arm32v')
    .split(/[/\s_-]+/)
    .map((word) => (Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? word) : word));
  const [first = ''] = words;
  const parts =
    words.length > 1
      ? words.toSorted((a, b) => Number(ARCHITECTURE.test(a)) - Number(ARCHITECTURE.test(b)))
      : ARCHITECTURE.test(first)
        ? ['linux', first]
        : [first, 'any'];
  const platform = parts.join('/');
  return isPlatform(platform) ? platform : findNearestPlatform(platform);
}

function findNearestPlatform(written: string): Platform | undefined {
  const nearest = nearestName(written, PLATFORMS);
  return nearest !== undefined && isPlatform(nearest) ? nearest : undefined;
}
