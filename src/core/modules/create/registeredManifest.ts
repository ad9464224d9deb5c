import { applyEdits, modify } from 'jsonc-parser';
import type { RegistryItemId } from '../../model/ids';
import { parseManifest } from '../manifest/parseManifest';

const INDENT = 2;

/**
 * The manifest of a module that was just registered: a new one with what every manifest needs, or the
 * present text with its id, where only what is missing is added and everything else stays as it is.
 *
 * @param present undefined where there is no manifest yet
 */
export function registeredManifest(present: string | undefined, id: RegistryItemId): string {
  if (present === undefined || present.trim() === '') return newManifest(id);
  const { manifest } = parseManifest(present);
  const withId = set(present, 'module_id', id);
  return manifest?.visibility === undefined ? set(withId, 'visibility', 'private') : withId;
}

function newManifest(id: RegistryItemId): string {
  // Without $schema: VS Code would ask that one instead of the product's, and warns that it does not.
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

/** Sets one field, a new one at the top: below `$schema` where there is one. */
function set(text: string, field: string, value: string): string {
  const edits = modify(text, [field], value, {
    formattingOptions: formattingOf(text),
    getInsertionIndex: (names) => names.findLastIndex((name) => BEFORE.has(name)) + 1,
  });
  return applyEdits(text, edits);
}

const BEFORE: ReadonlySet<string> = new Set(['$schema', 'module_id']);

/** As the text is written: its first indented line says by what. */
function formattingOf(text: string) {
  const [, indent = ' '.repeat(INDENT)] = /^([ \t]+)\S/m.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
