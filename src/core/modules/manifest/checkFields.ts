import type { Node } from 'jsonc-parser';
import { nearestName } from '../../../base/nearestName';
import { isPlatform } from '../platforms';
import type { FieldCode, ManifestFinding, ManifestFix, ManifestPath } from './manifestFinding';
import { findField } from './manifestPath';
import { inferPlatform } from './inferPlatform';
import { isModuleId } from '../moduleNames';
import { MANIFEST_VISIBILITIES, type ModuleManifest } from './moduleManifest';
import { checkModels } from './checkModels';

/** Maximum length of words that are compared with known words. */
const MAX_WORD_LENGTH = 100;

/**
 * Reports manifest fields that the registry rejects, regardless of the build (spec part 3,
 * UpdateModule).
 */
export function* checkFields(manifest: ModuleManifest, root: Node): Generator<ManifestFinding> {
  yield* checkModuleId(manifest);
  yield* checkVisibility(root);
  yield* checkUrl(manifest);
  yield* checkPlatforms(manifest);
  yield* checkModels(manifest);
  yield* checkApps(manifest, root);
}

function* checkModuleId({ moduleId }: ModuleManifest): Generator<ManifestFinding> {
  if (moduleId.trim() === '') {
    yield finding('moduleIdMissing', ['module_id'], [], [{ kind: 'create' }]);
  } else if (!isModuleId(moduleId)) {
    yield finding('moduleIdForm', ['module_id'], [moduleId]);
  }
}

function* checkVisibility(root: Node): Generator<ManifestFinding> {
  const path = ['visibility'];
  const written: unknown = findField(root, path)?.value.value;
  const known = Object.values(MANIFEST_VISIBILITIES);
  if (typeof written !== 'string' || written === '' || known.includes(written)) return;
  const word = written.slice(0, MAX_WORD_LENGTH).toLowerCase().replaceAll('-', '_');
  const nearest = nearestName(word, known) ?? known.find((name) => name.endsWith(word));
  const suggestions = nearest === undefined ? known : [nearest];
  yield finding(
    'visibilityUnknown',
    path,
    [written],
    suggestions.map((value) => setTo(path, value)),
  );
}

function* checkUrl({ url }: ModuleManifest): Generator<ManifestFinding> {
  if (url === '') return;
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'https:' || protocol === 'http:') return;
  const completed = `https://${url}`;
  const isHost = /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(url) && URL.canParse(completed);
  yield finding('urlForm', ['url'], [url], isHost ? [setTo(['url'], completed)] : []);
}

function* checkPlatforms({ build }: ModuleManifest): Generator<ManifestFinding> {
  const seen = new Set<string>();
  for (const [index, written] of build.arch.entries()) {
    const path = ['build', 'arch', index];
    if (isPlatform(written)) {
      const isRepeated = seen.has(written);
      seen.add(written);
      if (!isRepeated) continue;
      const fixes: ManifestFix[] = [{ kind: 'removeValue', path }];
      yield { ...finding('platformRepeated', path, [written], fixes), severity: 'warning' };
    } else if (written !== '') {
      const suggestion = inferPlatform(written);
      yield finding(
        'platformUnknown',
        path,
        [written],
        suggestion ? [setTo(path, suggestion)] : [],
      );
    }
  }
}

function setTo(path: ManifestPath, value: string): ManifestFix {
  return { kind: 'setValue', path, value };
}

function finding(
  code: FieldCode,
  path: ManifestPath,
  args: readonly string[] = [],
  fixes: readonly ManifestFix[] = [],
): ManifestFinding {
  return { code, severity: 'error', args, path, fixes };
}

const NAME = /^[A-Za-z0-9_-]+$/;

/** Types of applications: for one machine or for multiple machines. */
export const APP_TYPES: readonly string[] = ['single_machine', 'multi_machine'];

/** Reports problems with web applications that the registry rejects. */
function* checkApps({ apps }: ModuleManifest, root: Node): Generator<ManifestFinding> {
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
