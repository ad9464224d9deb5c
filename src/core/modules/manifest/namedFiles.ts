import { listDescriptions, listScripts } from './checkSources';
import { insidePath } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

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
