import { getLocation } from 'jsonc-parser';
import { KNOWN_APIS } from '../knownApis';
import { PLATFORMS } from '../platforms';
import type { ManifestPath, TextSpan } from './manifestFinding';
import { findField } from './manifestTree';
import { MANIFEST_VISIBILITIES } from './moduleManifest';
import type { ParsedManifest } from './parseManifest';

/** Position in a manifest for which suggestions are available. */
export interface ManifestSlot {
  /** Range to replace: the current value with its quotes, or an empty range. */
  readonly span: TextSpan;
  /** Current text, without quotes. */
  readonly written: string;
  readonly offer:
    | { readonly kind: 'values'; readonly values: readonly string[] }
    /** Files in the manifest's folder. `isCommand` is true if a shell runs the value. */
    | { readonly kind: 'files'; readonly isCommand: boolean };
}

/**
 * Returns the suggestions at an offset in a manifest that its schema can't provide: models of the
 * module, and files. If the manifest specifies a different schema, also includes the suggestions
 * that our own schema would provide.
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
  const pattern = path.map((step) => (typeof step === 'number' ? '*' : step)).join('/');
  const known = hasOtherSchema ? KNOWN_VALUES[pattern] : undefined;
  if (known) return { kind: 'values', values: known };
  if (pattern === 'models/*/model' && moduleId.includes(':')) {
    return { kind: 'values', values: [`${moduleId}:`] };
  }
  if (FILES.has(pattern)) return { kind: 'files', isCommand: false };
  return COMMANDS.has(pattern) ? { kind: 'files', isCommand: true } : undefined;
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
