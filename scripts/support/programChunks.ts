import type { Metafile } from 'esbuild';
import { basename, dirname, join } from 'node:path';
import { toRequirePath } from './mergeEntryChunk';

interface EntryPoints {
  /** Absolute path of the extension's entry point. */
  readonly entry: string;
  /** Absolute paths of the modules that are merged into the extension's entry point. */
  readonly entryModules: ReadonlySet<string>;
  /** Absolute paths of the programs. */
  readonly programs: readonly string[];
}

interface AssignedChunks {
  /** Files of the extension, and of programs that share them, with the modules to replace. */
  readonly host: readonly { readonly path: string; readonly merged: ReadonlySet<string> }[];
  /** Files of programs only, with the path to write them to. */
  readonly program: readonly { readonly path: string; readonly target: string }[];
  /** Paths of the programs' copies by the paths of the extension's modules. */
  readonly twins: ReadonlyMap<string, string>;
}

/**
 * Divides the files of a build into those of the extension and those of programs. They share a chunk
 * unless it needs a module that is merged into the extension's entry point. Of such a chunk, the
 * programs get a twin, so that each process has one instance of each module.
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
  const hostFiles = findReached([entry]);
  const programFiles = findReached(programs);
  // esbuild's own functions have no state, so that a process can have two instances of them.
  const helpers = Object.entries(outputs)
    .filter(([, output]) => Object.keys(output.inputs).length + output.imports.length === 0)
    .map(([path]) => toAbsolute(path));
  const stateful = new Set([...entryModules].filter((path) => !helpers.includes(path)));
  const twins = new Map(
    [...programFiles]
      .filter((path) => hostFiles.has(path))
      .filter((path) => [...findReached([path])].some((reached) => stateful.has(reached)))
      .map((path) => [path, join(dirname(path), `program-${basename(path)}`)]),
  );
  const isShared = (path: string): boolean => programFiles.has(path) && !twins.has(path);
  return {
    host: [...hostFiles]
      .filter((path) => !entryModules.has(path))
      .map((path) => ({ path, merged: isShared(path) ? stateful : entryModules })),
    program: [...programFiles]
      .filter((path) => twins.has(path) || !hostFiles.has(path) || entryModules.has(path))
      .map((path) => ({ path, target: twins.get(path) ?? path })),
    twins,
  };
}

/**
 * Makes a file of a program use the twins of modules.
 *
 * @param path the file's original path, next to which its twin is
 */
export function importTwins(
  path: string,
  text: string,
  twins: ReadonlyMap<string, string>,
): string {
  const toSpecifier = (module: string): string =>
    `require("${toRequirePath(dirname(path), module)}")`;
  return [...twins].reduce(
    (used, [module, twin]) => used.replaceAll(toSpecifier(module), toSpecifier(twin)),
    text,
  );
}
