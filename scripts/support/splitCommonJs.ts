import { type Plugin, transform, type TransformOptions } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findEntryChunk, mergeEntryChunk, useApi, importFromEntryChunk } from './mergeEntryChunk';

/** Required prefix of esbuild's `chunkNames`. */
export const chunkFolder = 'chunks';

/**
 * Converts the ECMAScript modules of a split program to CommonJS. esbuild can split only ECMAScript
 * modules, but the extension host needs a separate thread to load anything other than CommonJS.
 * Modules that are loaded with `import()` become separate files, which are read on demand. Modules
 * that the entry point needs immediately are merged into one file. esbuild alone would create a
 * separate file for any code that two modules share, and loading a file costs the extension host
 * more time than running the code in it.
 *
 * The API isn't copied. esbuild would copy its hundreds of members for every file that imports it.
 *
 * The build must have one entry point, `format: 'esm'`, `splitting`, `metafile`, `write: false`,
 * and no minification, because this plugin minifies the result.
 */
export function splitCommonJs(options: Pick<TransformOptions, 'minify' | 'target'>): Plugin {
  return {
    name: 'split-commonjs',
    setup(bundle) {
      const { absWorkingDir = '', outdir = '', sourcemap } = bundle.initialOptions;
      const commonJs = {
        ...options,
        format: 'cjs',
        platform: 'node',
        // Makes esbuild convert `import()` to a `require` call inside a promise.
        supported: { 'dynamic-import': false },
        sourcemap: sourcemap === 'inline' && 'inline',
        legalComments: 'none',
      } as const;
      bundle.onEnd(async ({ outputFiles = [], metafile, errors }) => {
        if (errors.length > 0) return;
        const folder = join(absWorkingDir, outdir);
        const modules = new Map(outputFiles.map(({ path, text }) => [path, text]));
        const entry = [...modules.keys()].find((path) => dirname(path) === folder) ?? '';
        const entryModules = findEntryChunk(entry, metafile?.outputs ?? {}, absWorkingDir);
        const written = await Promise.all(
          [...modules]
            .filter(([path]) => !entryModules.has(path))
            .map(async ([path, text]): Promise<[string, string]> => {
              const { code } = await transform(useApi(text), commonJs);
              return [path, importFromEntryChunk(path, code, entry, entryModules)];
            }),
        );
        written.push([entry, await mergeEntryChunk(entry, entryModules, modules, commonJs)]);
        rmSync(join(folder, chunkFolder), { recursive: true, force: true });
        for (const [path, text] of written) {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        }
      });
    },
  };
}
