import { applyEdits, modify } from 'jsonc-parser';
import type { RegistryItemId } from '../../model/ids';
import { detectFormatting } from './detectFormatting';
import { parseManifest } from './parseManifest';
import type { RegistryItem } from '../../model/registryItem';
import type { ModuleManifest } from './moduleManifest';

const INDENT = 2;

/**
 * Returns the manifest for a newly registered module. Without an existing manifest, creates one
 * with the required fields; otherwise, sets the ID, adds missing fields, and leaves everything else
 * unchanged.
 *
 * @param present undefined if there is no manifest yet
 */
export function registeredManifest(present: string | undefined, id: RegistryItemId): string {
  if (present === undefined || present.trim() === '') return newManifest(id);
  const { manifest } = parseManifest(present);
  const withId = set(present, 'module_id', id);
  return manifest?.visibility === undefined ? set(withId, 'visibility', 'private') : withId;
}

function newManifest(id: RegistryItemId): string {
  // Omit `$schema`, because VS Code would try to load that schema instead of ours and warn that it
  // can't.
  const manifest = {
    module_id: id,
    visibility: 'private',
    url: '',
    description: '',
    models: [],
    entrypoint: 'dist/main',
    build: {
      build: './build.sh',
      path: 'dist/archive.tar.gz',
      arch: ['linux/amd64', 'linux/arm64'],
    },
  };
  return `${JSON.stringify(manifest, undefined, INDENT)}\n`;
}

/** Sets one field. Adds a new field at the top, below `$schema` if there is one. */
function set(text: string, field: string, value: string): string {
  const edits = modify(text, [field], value, {
    formattingOptions: detectFormatting(text),
    getInsertionIndex: (names) => names.findLastIndex((name) => BEFORE.has(name)) + 1,
  });
  return applyEdits(text, edits);
}

const BEFORE: ReadonlySet<string> = new Set(['$schema', 'module_id']);

/**
 * Converts the registry's data about a module to a manifest, for checking builds without a
 * manifest. Returns undefined for a module without data.
 */
export function knownManifest({
  id,
  entrypoint,
  firstRun,
  url,
  description,
}: Pick<RegistryItem, 'id' | 'entrypoint' | 'firstRun' | 'url' | 'description'>):
  | ModuleManifest
  | undefined {
  if (entrypoint === '') return undefined;
  return {
    moduleId: id,
    entrypoint,
    firstRun,
    url,
    description,
    visibility: undefined,
    markdownLink: undefined,
    models: [],
    apps: [],
    build: {
      setup: undefined,
      build: undefined,
      path: undefined,
      arch: [],
      darwinDependencies: [],
    },
  };
}
