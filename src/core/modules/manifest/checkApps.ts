import type { Node } from 'jsonc-parser';
import { nearestName } from '../../../base/nearestName';
import type { ManifestFinding } from './manifestFinding';
import { findField } from './manifestTree';
import type { ModuleManifest } from './moduleManifest';

const NAME = /^[A-Za-z0-9_-]+$/;
const MAX_WORD_LENGTH = 100;

/** Types of applications: for one machine or for multiple machines. */
export const APP_TYPES: readonly string[] = ['single_machine', 'multi_machine'];

/** Reports problems with web applications that the registry rejects. */
export function* checkApps({ apps }: ModuleManifest, root: Node): Generator<ManifestFinding> {
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
