import { findField } from './manifestTree';
import { MANIFEST_NAME, MANIFEST_SCHEMA } from './moduleManifest';
import type { ParsedManifest } from './parseManifest';

/** Whether what was read is a module manifest: a `meta.json` with a module id, or what says it is one. */
export function isManifest(name: string, { root }: ParsedManifest): boolean {
  // Too large or too deep to be read: better told than passed over.
  if (!root) return name === MANIFEST_NAME;
  if (root.type !== 'object') return false;
  if (findField(root, ['$schema'])?.value.value === MANIFEST_SCHEMA) return true;
  return name === MANIFEST_NAME && findField(root, ['module_id']) !== undefined;
}
