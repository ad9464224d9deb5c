import { build, type BuildOptions, type Metafile } from 'esbuild';
import { basename, dirname, relative, resolve, sep } from 'node:path';

/** Modules as esbuild printed them, without minification: the text by the absolute path. */
export type Modules = ReadonlyMap<string, string>;

/** As esbuild prints it when it does not minify. */
const apiImport = /^import \* as (\w+) from "vscode";$/gm;

/** The one module that asks for the API: each time it is asked, the host looks up who does. */
const apiModule = 'the-api';

/**
 * What is loaded together with the module `entry`: it and all that its static imports lead to.
 * Absolute paths, as `root` is, which those of `outputs` are relative to.
 */
export function groundOf(entry: string, outputs: Metafile['outputs'], root: string): Set<string> {
  const imports = new Map(
    Object.entries(outputs).map(([path, { imports }]) => [
      resolve(root, path),
      imports
        .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
        .map((imported) => resolve(root, imported.path)),
    ]),
  );
  const ground = new Set([entry]);
  for (const module of ground) imports.get(module)?.forEach((imported) => ground.add(imported));
  return ground;
}

/** What `require` asks for in a folder to get a module, on any system. */
function requestOf(folder: string, module: string): string {
  const name = relative(folder, module).replaceAll(sep, '/');
  return name.startsWith('.') ? name : `./${name}`;
}

/** What the ground exports another of its modules as. */
function sharedName(module: string): string {
  return `shared_${basename(module).replaceAll(/\W/g, '_')}`;
}

/**
 * Makes one CommonJS module of the ECMAScript modules of the ground, to be written where `entry` is:
 * its exports, and one for each of the others, which {@link useGround} takes them by.
 */
export async function mergeGround(
  entry: string,
  ground: ReadonlySet<string>,
  modules: Modules,
  options: BuildOptions,
): Promise<string> {
  const exports = [...ground].map((module) => {
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
        name: 'ground',
        setup(bundle) {
          bundle.onResolve({ filter: new RegExp(`^${apiModule}$`) }, ({ path }) => ({
            path,
            namespace: apiModule,
          }));
          bundle.onResolve({ filter: /./ }, ({ path, resolveDir }) => {
            const module = resolve(resolveDir, path);
            if (ground.has(module)) return { path: module };
            // A module that is imported later is asked for from where all of them are written.
            const later = modules.has(module) ? requestOf(dirname(entry), module) : path;
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

/** Makes an ECMAScript module that stays apart take the API as it is. */
export function useApi(text: string): string {
  return text.replaceAll(apiImport, 'const $1 = require("vscode");');
}

/**
 * Makes a CommonJS module beside the ground take from it what was merged there.
 *
 * @throws Error when it asks for such a module in a way that esbuild does not print today
 */
export function useGround(
  path: string,
  text: string,
  entry: string,
  ground: ReadonlySet<string>,
): string {
  const nameOf = (module: string): string => requestOf(dirname(path), module);
  let used = text;
  for (const module of ground) {
    if (module === entry) continue;
    used = used.replaceAll(
      `require("${nameOf(module)}")`,
      `require("${nameOf(entry)}").${sharedName(module)}`,
    );
    if (used.includes(nameOf(module))) {
      throw new Error(`${basename(path)} asks for ${basename(module)} in an unknown way.`);
    }
  }
  return used;
}
