import type { Metafile } from 'esbuild';
import { dirname } from 'node:path';
import { sharedName, toRequirePath } from './mergeEntryChunk';

interface EntryPoints {
  /** Absolute path of the extension's entry point. */
  readonly entry: string;
  /** Absolute paths of the modules that are merged into the extension's entry point. */
  readonly entryModules: ReadonlySet<string>;
  /** Absolute paths of the programs. */
  readonly programs: readonly string[];
}

/** Absolute paths of the files of a build, without modules that only the extension's entry needs. */
interface AssignedChunks {
  /** Files that only the extension loads. */
  readonly host: readonly string[];
  /** Files that the extension and programs load. */
  readonly shared: readonly string[];
  /** Files that only programs load. */
  readonly program: readonly string[];
}

/**
 * Divides the files of a build into those of the extension, those of programs, and those of both.
 * The modules that are merged into the extension's entry point are also files of the programs that
 * need them.
 *
 * @param toAbsolute converts a path of the metafile to an absolute path
 */
export function assignChunks(
  { entry, entryModules, programs }: EntryPoints,
  outputs: Metafile['outputs'],
  toAbsolute: (path: string) => string,
): AssignedChunks {
  const imports = new Map(
    Object.entries(outputs).map(([path, output]) => [
      toAbsolute(path),
      output.imports.flatMap((one) => (one.external === true ? [] : toAbsolute(one.path))),
    ]),
  );
  const findReached = (starts: readonly string[]): ReadonlySet<string> => {
    const reached = new Set(starts);
    for (const path of reached) imports.get(path)?.forEach((imported) => reached.add(imported));
    return reached;
  };
  const programFiles = findReached(programs);
  const chunks = [...findReached([entry])].filter((path) => !entryModules.has(path));
  const inHost = new Set(chunks);
  return {
    host: chunks.filter((path) => !programFiles.has(path)),
    shared: chunks.filter((path) => programFiles.has(path)),
    program: [...programFiles].filter((path) => !inHost.has(path)),
  };
}

/**
 * Returns a module from which shared files get the modules that are merged into the extension's
 * entry point. In the extension, these are the merged ones, and in a program its own files, so that
 * each process has one instance of each module.
 *
 * @param path absolute path of the module to write
 * @param entry absolute path of the extension's entry point
 * @param merged absolute paths of the programs' own files
 */
export function createEntryModules(path: string, entry: string, merged: readonly string[]): string {
  const folder = dirname(path);
  const getters = merged.map(
    (module) =>
      `get ${sharedName(module)}() { return require("${toRequirePath(folder, module)}"); }`,
  );
  const main = toRequirePath(folder, entry);
  // Only the extension has loaded its entry point.
  return `const main = require.cache[require("node:path").join(__dirname, "${main}")];
module.exports = main ? main.exports : { ${getters.join(', ')} };
`;
}
