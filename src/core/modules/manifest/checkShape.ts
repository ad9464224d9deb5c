import type { Node } from 'jsonc-parser';
import { getOwn } from '../../../base/getOwn';
import { nearestName } from '../../../base/nearestName';
import type { ManifestDiagnostic, ManifestPath } from './manifestDiagnostic';
import { getFields } from './manifestPath';

/**
 * Names that other tools and users use for fields, and that differ too much from the actual names
 * to be recognized as misspellings.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  desc: 'description',
  summary: 'description',
  readme: 'markdown_link',
  markdown: 'markdown_link',
  executable: 'entrypoint',
  main: 'entrypoint',
  id: 'module_id',
  platform: 'arch',
  platforms: 'arch',
  architecture: 'arch',
  architectures: 'arch',
};

/** Maximum length of names that are compared with known names. */
const MAX_NAME_LENGTH = 100;

/** Reports fields with values of an unexpected type, and misspelled fields. */
export function checkShape(root: Node): Iterable<ManifestDiagnostic> {
  return checkObject(root, MANIFEST_FIELDS, []);
}

function* checkObject(
  object: Node,
  fields: Fields,
  path: ManifestPath,
): Generator<ManifestDiagnostic> {
  const all = getFields(object);
  const present = new Set(all.map(({ name }) => name));
  const names = Object.keys(fields);
  const missing = names.filter((known) => !present.has(known));
  const there = names.filter((known) => present.has(known));
  for (const { name, value } of all) {
    const shape = getOwn(fields, name);
    if (shape === undefined) yield* checkUnknown(name, { missing, there, path });
    else yield* checkValue(value, shape, [...path, name]);
  }
}

function* checkValue(
  value: Node,
  shape: FieldShape,
  path: ManifestPath,
): Generator<ManifestDiagnostic> {
  if (value.type === 'null' || shape === 'anything') return;
  if (shape === 'text') {
    if (value.type !== 'string') yield wrongType(path, 'text');
    return;
  }
  if (shape !== 'texts' && 'fields' in shape) {
    if (value.type === 'object') yield* checkObject(value, shape.fields, path);
    else yield wrongType(path, 'object');
    return;
  }
  if (value.type !== 'array') {
    yield wrongType(path, 'list');
    return;
  }
  for (const [index, element] of (value.children ?? []).entries()) {
    const inner = [...path, index];
    if (shape === 'texts') yield* checkValue(element, 'text', inner);
    else if (element.type === 'object') yield* checkObject(element, shape.each, inner);
    else yield wrongType(inner, 'object');
  }
}

/** Reports an unknown field only if its name is similar to a known field's name. */
function* checkUnknown(
  name: string,
  around: {
    /** Known fields that are missing from the object. */
    readonly missing: readonly string[];
    /** Known fields that the object has. */
    readonly there: readonly string[];
    readonly path: ManifestPath;
  },
): Generator<ManifestDiagnostic> {
  const { missing, there } = around;
  const written = name.slice(0, MAX_NAME_LENGTH);
  const synonym = getOwn(SYNONYMS, written);
  const nearest =
    nearestName(written, missing) ??
    (synonym !== undefined && missing.includes(synonym) ? synonym : undefined);
  const path = [...around.path, name];
  if (nearest === undefined) {
    const read = nearestName(written, there);
    if (read === undefined) return;
    yield {
      code: 'unreadField',
      severity: 'warning',
      args: [name, read],
      path,
      fixes: [{ kind: 'removeValue', path }],
    };
    return;
  }
  yield {
    code: 'unknownField',
    severity: 'warning',
    args: [name, nearest],
    path,
    fixes: [{ kind: 'renameField', path, name: nearest }],
  };
}

function wrongType(path: ManifestPath, expected: 'text' | 'list' | 'object'): ManifestDiagnostic {
  const field = path.findLast((step) => typeof step === 'string') ?? '';
  return { code: 'wrongType', severity: 'error', args: [field, expected], path, fixes: [] };
}

/**
 * A manifest field's type. `null` counts as absent, because public tools write it for empty lists.
 */
type FieldShape =
  | 'text'
  | 'texts'
  | 'anything'
  | { readonly fields: Fields }
  | { readonly each: Fields };

export type Fields = Readonly<Record<string, FieldShape>>;

const MODEL: Fields = {
  api: 'text',
  model: 'text',
  short_description: 'text',
  markdown_link: 'text',
  supported_hardware: 'texts',
};

const APP: Fields = {
  name: 'text',
  type: 'text',
  entrypoint: 'text',
  fragmentIds: 'texts',
  allowedOrgIds: 'texts',
  logoPath: 'text',
  customizations: 'anything',
};

/**
 * Fields that public tools support. Other fields are left unchanged, because other programs might
 * read them.
 */
export const MANIFEST_FIELDS: Fields = {
  $schema: 'text',
  module_id: 'text',
  visibility: 'text',
  url: 'text',
  description: 'text',
  markdown_link: 'text',
  models: { each: MODEL },
  entrypoint: 'text',
  first_run: 'text',
  min_viam_server_version: 'text',
  build: {
    fields: { setup: 'text', build: 'text', path: 'text', arch: 'texts', darwin_deps: 'texts' },
  },
  applications: { each: APP },
  apps: { each: APP },
};
