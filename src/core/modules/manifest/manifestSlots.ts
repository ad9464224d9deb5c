import { getLocation } from 'jsonc-parser';
import { KNOWN_APIS } from '../knownApis';
import { PLATFORMS } from '../platforms';
import type { ManifestPath, TextSpan } from './manifestFinding';
import { findField } from './manifestTree';
import { MANIFEST_VISIBILITIES } from './moduleManifest';
import type { ParsedManifest } from './parseManifest';

/** What may stand at a place of a manifest. */
export interface ManifestSlot {
  /** What is replaced: the value that stands there, with its quotes, or nothing yet. */
  readonly span: TextSpan;
  /** What stands there so far, without quotes. */
  readonly written: string;
  readonly offer:
    | { readonly kind: 'values'; readonly values: readonly string[] }
    /** Files of the folder of the manifest; `isCommand` where they are started by a shell. */
    | { readonly kind: 'files'; readonly isCommand: boolean };
}

/**
 * What can be suggested at an offset of a manifest that its schema cannot know: models of the module,
 * and files. Where the manifest names a schema of its own, also what ours would suggest.
 */
export function slotAt(
  text: string,
  offset: number,
  { manifest, root }: ParsedManifest,
): ManifestSlot | undefined {
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  if (isAtPropertyKey || !root || !manifest) return undefined;
  const isString = previousNode?.type === 'string';
  const isInside =
    previousNode !== undefined && offset <= previousNode.offset + previousNode.length;
  const span =
    isString && isInside
      ? { offset: previousNode.offset, length: previousNode.length }
      : { offset, length: 0 };
  const written = isString && isInside ? String(previousNode.value) : '';
  const hasOtherSchema = findField(root, ['$schema']) !== undefined;
  const offer = offerAt(path, { moduleId: manifest.moduleId, hasOtherSchema });
  return offer && { span, written, offer };
}

function offerAt(
  path: ManifestPath,
  { moduleId, hasOtherSchema }: { readonly moduleId: string; readonly hasOtherSchema: boolean },
): ManifestSlot['offer'] | undefined {
  const place = path.map((step) => (typeof step === 'number' ? '*' : step)).join('/');
  const known = hasOtherSchema ? KNOWN_VALUES[place] : undefined;
  if (known) return { kind: 'values', values: known };
  if (place === 'models/*/model' && moduleId.includes(':')) {
    return { kind: 'values', values: [`${moduleId}:`] };
  }
  if (FILES.has(place)) return { kind: 'files', isCommand: false };
  return COMMANDS.has(place) ? { kind: 'files', isCommand: true } : undefined;
}

const KNOWN_VALUES: Readonly<Record<string, readonly string[] | undefined>> = {
  'models/*/api': KNOWN_APIS,
  'build/arch/*': PLATFORMS,
  visibility: Object.values(MANIFEST_VISIBILITIES),
};
const FILES: ReadonlySet<string> = new Set([
  ...['entrypoint', 'first_run', 'markdown_link', 'models/*/markdown_link', 'build/path'],
]);
const COMMANDS: ReadonlySet<string> = new Set(['build/setup', 'build/build']);
