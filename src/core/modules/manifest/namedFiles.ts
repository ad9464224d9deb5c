import { listDescriptions, listScripts } from './checkSources';
import { insidePath } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

/** Names without characters that would mean something in a pattern. */
const PLAIN = /^[\w. /-]+$/;
/** More than anybody writes. */
const MOST_FILES = 30;

/**
 * The files of its folder that a manifest names, each once: what was built, and what is needed for it.
 * Also the folders that they are in, since watchers tell a new folder without what came with it. Only
 * those whose names mean nothing else in a pattern of files to watch.
 */
export function namedFilesOf(manifest: ModuleManifest): readonly string[] {
  const { entrypoint, firstRun = '', build } = manifest;
  const paths = [entrypoint, firstRun, build.path ?? ''].map((path) => insidePath(path) ?? '');
  const sources = [...listDescriptions(manifest), ...listScripts(manifest)].map(({ file }) => file);
  const plain = [...paths, ...sources].filter((file) => PLAIN.test(file));
  return [...new Set(plain.flatMap(withFolders))].slice(0, MOST_FILES);
}

/** `a/b/c` with `a/b` and `a`. */
function withFolders(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}
