import { getLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';
import { getOwn } from '../../../base/getOwn';
import { KNOWN_APIS } from '../moduleNames';
import { PLATFORMS } from '../platforms';
import { detectFormatting } from './detectFormatting';
import type { ManifestFix, ManifestPath, TextSpan } from './manifestDiagnostic';
import { findField, getFields, insidePath } from './manifestPath';
import {
  MANIFEST_NAME,
  MANIFEST_SCHEMA,
  MANIFEST_VISIBILITIES,
  type ModuleManifest,
} from './moduleManifest';
import type { ParsedManifest } from './parseManifest';
import type { TextEdit } from '../../documents/textEdit';
import { listDescriptions, listScripts } from './checkSources';
import { nearestName } from '../../../base/nearestName';

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
 * Returns the suggestions at an offset in a manifest that its schema can't provide: the module's
 * models, and files. If the manifest specifies a different schema, also includes the suggestions
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
  const known = hasOtherSchema ? KNOWN_VALUES.get(pattern) : undefined;
  if (known) return { kind: 'values', values: known };
  if (pattern === 'models/*/model' && moduleId.includes(':')) {
    return { kind: 'values', values: [`${moduleId}:`] };
  }
  if (FILES.has(pattern)) return { kind: 'files', isCommand: false };
  return COMMANDS.has(pattern) ? { kind: 'files', isCommand: true } : undefined;
}

const KNOWN_VALUES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    'models/*/api': KNOWN_APIS,
    'build/arch/*': PLATFORMS,
    visibility: Object.values(MANIFEST_VISIBILITIES),
  }),
);
const FILES: ReadonlySet<string> = new Set([
  ...['entrypoint', 'first_run', 'markdown_link', 'models/*/markdown_link', 'build/path'],
]);
const COMMANDS: ReadonlySet<string> = new Set(['build/setup', 'build/build']);

/** Schema for a manifest field, in the subset of JSON Schema that the manifest schema uses. */
export interface DescribedField {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedField>>;
  readonly items?: DescribedField;
  readonly anyOf?: readonly {
    readonly enum?: readonly string[];
    readonly enumDescriptions?: readonly string[];
  }[];
}

/** Description of a field and of its current value. */
export interface FieldDescription {
  readonly span: TextSpan;
  readonly texts: readonly string[];
}

/**
 * Returns the schema's description of the field at an offset in a manifest; undefined if there is
 * none.
 */
export function describeField(
  text: string,
  offset: number,
  { parsed, schema }: { readonly parsed: ParsedManifest; readonly schema: DescribedField },
): FieldDescription | undefined {
  const { path, isAtPropertyKey } = getLocation(text, offset);
  const field = fieldAt(schema, path);
  const found = parsed.root && findField(parsed.root, path);
  const node = isAtPropertyKey ? found?.key : found?.value;
  if (field?.description === undefined || !node) return undefined;
  if (node.type === 'object' || node.type === 'array') return undefined;
  const span = { offset: node.offset, length: node.length };
  const meaning = describeValue(field, found?.value.value);
  return {
    span,
    texts: meaning === undefined ? [field.description] : [field.description, meaning],
  };
}

function fieldAt(schema: DescribedField, path: JSONPath): DescribedField | undefined {
  let field: DescribedField | undefined = schema;
  for (const step of path) {
    const { properties = {}, items }: DescribedField = field;
    if (typeof step === 'number') field = items;
    else field = getOwn(properties, step);
    if (!field) return undefined;
  }
  return field;
}

function describeValue({ anyOf = [] }: DescribedField, value: unknown): string | undefined {
  for (const { enum: values = [], enumDescriptions = [] } of anyOf) {
    const index = values.findIndex((known) => known === value);
    const meaning = enumDescriptions[index];
    if (meaning !== undefined) return `${values[index] ?? ''}: ${meaning}`;
  }
  return undefined;
}

/** Fixes that change the manifest's text. All other fixes change files. */
export type TextFix = Extract<
  ManifestFix,
  { readonly kind: 'setValue' | 'renameField' | 'removeValue' }
>;

/**
 * Returns the edits to a manifest for a fix, which leave everything else in the text unchanged.
 * Empty if the affected text no longer exists.
 */
export function createFixEdits(text: string, fix: TextFix): readonly TextEdit[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const found = root && findField(root, fix.path);
  if (!found) return [];
  switch (fix.kind) {
    case 'setValue':
      return [replacing(found.value, fix.value)];
    case 'renameField':
      return found.key ? [replacing(found.key, fix.name)] : [];
    case 'removeValue':
      return removed(text, fix.path, found.value);
  }
}

function removed(text: string, path: ManifestPath, value: Node): readonly TextEdit[] {
  const elements = value.parent?.type === 'array' ? (value.parent.children ?? []) : [];
  const previous = elements.at(-1) === value ? elements.at(-2) : undefined;
  if (previous) {
    // `modify` leaves the last character of the last element if the array is in one line.
    return [
      { start: previous.offset + previous.length, end: value.offset + value.length, text: '' },
    ];
  }
  const options = { formattingOptions: detectFormatting(text) };
  return modify(text, [...path], undefined, options).map(({ offset, length, content }) => ({
    start: offset,
    end: offset + length,
    text: content,
  }));
}

function replacing({ offset, length }: Node, value: string): TextEdit {
  return { start: offset, end: offset + length, text: JSON.stringify(value) };
}

/** Names without glob characters. */
const PLAIN = /^[\w. /-]+$/;
/** Maximum number of files, more than any real manifest specifies. */
const MAX_FILES = 30;

/**
 * Returns the distinct files in a manifest's folder that the manifest references: build output and
 * sources. Also returns the parent folders of these files, because watchers report a new folder
 * without its contents. Includes only names without glob characters.
 */
export function listReferencedFiles(manifest: ModuleManifest): readonly string[] {
  const { entrypoint, firstRun = '', build } = manifest;
  const paths = [entrypoint, firstRun, build.path ?? ''].map((path) => insidePath(path) ?? '');
  const sources = [...listDescriptions(manifest), ...listScripts(manifest)].map(({ file }) => file);
  const plain = [...paths, ...sources].filter((file) => PLAIN.test(file));
  return [...new Set(plain.flatMap(withFolders))].slice(0, MAX_FILES);
}

/** Returns the file and its parent folders: `a/b/c`, `a/b`, and `a`. */
function withFolders(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/**
 * Returns true for a module manifest: a `meta.json` that contains a module ID (or a misspelled ID
 * field and an entrypoint), or a file whose text declares that it is a manifest.
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
