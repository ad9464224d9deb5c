import { type Plugin, transform, type TransformOptions } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findEntryChunk, importFromEntryChunk, mergeEntryChunk, useApi } from './mergeEntryChunk';
import { assignChunks, createEntryModules } from './programChunks';

/** Required prefix of esbuild's `chunkNames`. */
export const chunkFolder = 'chunks';

interface SplitOptions extends Pick<TransformOptions, 'minify' | 'target'> {
  /** Name of the extension's entry point. The others are programs, which run without VS Code. */
  readonly extension: string;
  /** First lines of programs, by the name of the entry point. */
  readonly banners?: Readonly<Record<string, string>>;
}

/**
 * Converts the ECMAScript modules of the split extension and of programs to CommonJS. esbuild can
 * split only ECMAScript modules, but the extension host needs a separate thread to load anything
 * other than CommonJS. Modules that are loaded with `import()`, or that several entry points need,
 * become separate files. Modules that the extension needs immediately are merged into one file.
 * esbuild alone would create a separate file for any code that two modules share, and loading a file
 * costs the extension host more time than running the code in it. Programs can't load the merged
 * file, so they have the modules in it as separate files (see `programChunks.ts`).
 *
 * The API isn't copied. esbuild would copy its hundreds of members for every file that imports it.
 *
 * The build must have `format: 'esm'`, `splitting`, `metafile`, `write: false`, and no
 * `minifyWhitespace`, because this plugin matches lines and minifies the result.
 *
 * @throws Error if a chunk uses `__dirname`, which is another folder than in the entry points
 */
export function splitCommonJs({ extension, banners = {}, ...options }: SplitOptions): Plugin {
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
        const folder = resolve(absWorkingDir, outdir);
        const modules = new Map(outputFiles.map(({ path, text }) => [path, text]));
        const entry = join(folder, `${extension}.js`);
        const outputs = metafile?.outputs ?? {};
        const entryModules = findEntryChunk(entry, outputs, absWorkingDir);
        const programs = [...modules.keys()].filter(
          (path) => dirname(path) === folder && path !== entry,
        );
        const chunks = assignChunks({ entry, entryModules, programs }, outputs, (path) =>
          resolve(absWorkingDir, path),
        );
        const convert = async (path: string): Promise<string> => {
          const text = modules.get(path) ?? '';
          if (dirname(path) !== folder && text.includes('__dirname')) {
            throw new Error(`${basename(path)} uses __dirname, which only an entry point can.`);
          }
          const banner = banners[basename(path, '.js')] ?? '';
          const { code } = await transform(useApi(text), { ...commonJs, banner });
          return code;
        };
        const entryModulesFile = join(folder, chunkFolder, 'entryModules.js');
        const importFrom = (source: string) => async (path: string) => [
          path,
          importFromEntryChunk(path, await convert(path), source, entryModules),
        ];
        const used = chunks.program.filter((path) => entryModules.has(path));
        const written = await Promise.all([
          mergeEntryChunk(entry, entryModules, modules, commonJs).then((text) => [entry, text]),
          ...chunks.host.map(importFrom(entry)),
          ...chunks.shared.map(importFrom(entryModulesFile)),
          ...chunks.program.map(async (path) => [path, await convert(path)]),
        ]);
        written.push([entryModulesFile, createEntryModules(entryModulesFile, entry, used)]);
        rmSync(join(folder, chunkFolder), { recursive: true, force: true });
        for (const [path = '', text = ''] of written) {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        }
      });
    },
  };
}
