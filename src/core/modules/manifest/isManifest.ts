import { nearestName } from '../../../base/nearestName';
import { getFields, findField } from './manifestTree';
import { MANIFEST_NAME, MANIFEST_SCHEMA } from './moduleManifest';
import type { ParsedManifest } from './parseManifest';

/**
 * Returns true for a module manifest: a `meta.json` that contains a module ID (or a misspelled ID
 * field and an entrypoint), or a text that declares itself a manifest.
 */
export function isManifest(name: string, { root }: ParsedManifest): boolean {
  // The file is too large or too deeply nested to parse. Reporting this problem is better than
  // ignoring the file.
  if (!root) return name === MANIFEST_NAME;
  if (root.type !== 'object') return false;
  if (findField(root, ['$schema'])?.value.value === MANIFEST_SCHEMA) return true;
  if (name !== MANIFEST_NAME) return false;
  if (findField(root, ['module_id'])) return true;
  const hasEntrypoint = findField(root, ['entrypoint']) !== undefined;
  return hasEntrypoint && getFields(root).some((field) => nearestName(field.name, ['module_id']));
}
