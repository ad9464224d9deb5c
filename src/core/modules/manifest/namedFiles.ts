import { listDescriptions, listScripts } from './checkSources';
import { insidePath } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

/** Names without glob characters. */
const PLAIN = /^[\w. /-]+$/;
/** More than any manifest contains. */
const MAX_FILES = 30;

/**
 * Returns the files of its folder that a manifest names, each once: build output and sources. Also
 * returns their parent folders, because watchers report a new folder without its contents. Includes
 * only names without glob characters.
 */
export function listReferencedFiles(manifest: ModuleManifest): readonly string[] {
  const { entrypoint, firstRun = '', build } = manifest;
  const paths = [entrypoint, firstRun, build.path ?? ''].map((path) => insidePath(path) ?? '');
  const sources = [...listDescriptions(manifest), ...listScripts(manifest)].map(({ file }) => file);
  const plain = [...paths, ...sources].filter((file) => PLAIN.test(file));
  return [...new Set(plain.flatMap(withFolders))].slice(0, MAX_FILES);
}

/** Returns `a/b/c` with `a/b` and `a`. */
function withFolders(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}
