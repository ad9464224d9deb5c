import { build, type BuildOptions, type Metafile } from 'esbuild';
import { basename, dirname, relative, resolve, sep } from 'node:path';

/** Source code by absolute module path, as esbuild prints it without minification. */
export type Modules = ReadonlyMap<string, string>;

/** Pattern of a `vscode` import as esbuild prints it without minification. */
const apiImport = /^import \* as ([\w$]+) from "vscode";$/gm;

/**
 * Name of the only module that loads the API. The other modules import this module, because the
 * extension host looks up the caller each time the API is loaded.
 */
const apiModule = 'the-api';

/**
 * Returns the modules that are loaded together with `entry`: `entry` itself and all of its static
 * imports, recursively. All paths are absolute; `root` is the folder that the paths in `outputs`
 * are relative to.
 */
export function findEntryChunk(
  entry: string,
  outputs: Metafile['outputs'],
  root: string,
): Set<string> {
  const imports = new Map(
    Object.entries(outputs).map(([path, { imports }]) => [
      resolve(root, path),
      imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .map((imported) => resolve(root, imported.path)),
    ]),
  );
  const entryModules = new Set([entry]);
  for (const module of entryModules) {
    imports.get(module)?.forEach((imported) => entryModules.add(imported));
  }
  return entryModules;
}

/**
 * Returns the argument of `require` with which a file in a folder loads a module, on any operating
 * system.
 */
export function toRequirePath(folder: string, module: string): string {
  const name = relative(folder, module).replaceAll(sep, '/');
  return name.startsWith('.') ? name : `./${name}`;
}

/** Returns the name under which the entry chunk exports another module that was merged into it. */
export function sharedName(module: string): string {
  return `shared_${basename(module).replaceAll(/\W/g, '_')}`;
}

/**
 * Merges the ECMAScript modules of the entry chunk into one CommonJS module, which must be written
 * to the path of `entry`. The module has the exports of `entry`, and one export for each other
 * module, which {@link importFromEntryChunk} uses.
 */
export async function mergeEntryChunk(
  entry: string,
  entryModules: ReadonlySet<string>,
  modules: Modules,
  options: BuildOptions,
): Promise<string> {
  const exports = [...entryModules].map((module) => {
    const from = JSON.stringify(module);
    return module === entry
      ? `export * from ${from};`
      : `export * as ${sharedName(module)} from ${from};`;
  });
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: exports.join('\n'), resolveDir: dirname(entry) },
    bundle: true,
    write: false,
    outfile: entry,
    plugins: [
      {
        name: 'merge-entry-chunk',
        setup(bundle) {
          bundle.onResolve({ filter: new RegExp(`^${apiModule}$`) }, ({ path }) => ({
            path,
            namespace: apiModule,
          }));
          bundle.onResolve({ filter: /./ }, ({ path, resolveDir }) => {
            const module = resolve(resolveDir, path);
            if (entryModules.has(module)) return { path: module };
            // A module that is loaded later is resolved relative to the folder that contains all
            // modules.
            const later = modules.has(module) ? toRequirePath(dirname(entry), module) : path;
            return { path: later, external: true };
          });
          bundle.onLoad({ filter: /./, namespace: apiModule }, () => ({
            contents: 'export const api = require("vscode");',
          }));
          bundle.onLoad({ filter: /./ }, ({ path }) => ({
            contents: (modules.get(path) ?? '').replaceAll(
              apiImport,
              `import { api as $1 } from "${apiModule}";`,
            ),
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Makes a separate ECMAScript module load the API directly, without copying the API's members. */
export function useApi(text: string): string {
  return text.replaceAll(apiImport, 'const $1 = require("vscode");');
}

/**
 * Makes a CommonJS module outside the entry chunk use the modules that were merged into the chunk.
 *
 * @param entry absolute path of the entry chunk, or of a module with the same exports
 * @throws Error if the module imports one of these modules in a form that current versions of
 *   esbuild don't print
 */
export function importFromEntryChunk(
  path: string,
  text: string,
  entry: string,
  entryModules: ReadonlySet<string>,
): string {
  const toSpecifier = (module: string): string => toRequirePath(dirname(path), module);
  let used = text;
  for (const module of entryModules) {
    if (module === entry) continue;
    used = used.replaceAll(
      `require("${toSpecifier(module)}")`,
      `require("${toSpecifier(entry)}").${sharedName(module)}`,
    );
    if (used.includes(toSpecifier(module))) {
      throw new Error(`${basename(path)} imports ${basename(module)} in an unknown form.`);
    }
  }
  return used;
}
