import { type Plugin, transform, type TransformOptions } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groundOf, mergeGround, useApi, useGround } from './mergeGround';

/** What esbuild's `chunkNames` has to begin with. */
export const chunkFolder = 'chunks';

/**
 * Writes the ECMAScript modules that esbuild splits as CommonJS: esbuild splits that form alone, and the
 * extension host loads CommonJS without a thread of its own. What `import()` names becomes a file of its
 * own, read when it is asked for; what the entry point needs at once becomes one file, for esbuild makes
 * a file of everything that two share, and each costs the host more than what is in it.
 *
 * The API is taken as it is: esbuild would copy its hundreds of members once for every file that imports it.
 *
 * The build must have one entry point, `format: 'esm'`, `splitting`, `metafile`, `write: false` and no
 * minification, which is done here.
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
        // Makes a `require` within a promise of `import()`.
        supported: { 'dynamic-import': false },
        sourcemap: sourcemap === 'inline' && 'inline',
        legalComments: 'none',
      } as const;
      bundle.onEnd(async ({ outputFiles = [], metafile, errors }) => {
        if (errors.length > 0) return;
        const folder = join(absWorkingDir, outdir);
        const modules = new Map(outputFiles.map(({ path, text }) => [path, text]));
        const entry = [...modules.keys()].find((path) => dirname(path) === folder) ?? '';
        const ground = groundOf(entry, metafile?.outputs ?? {}, absWorkingDir);
        const written = await Promise.all(
          [...modules]
            .filter(([path]) => !ground.has(path))
            .map(async ([path, text]): Promise<[string, string]> => {
              const { code } = await transform(useApi(text), commonJs);
              return [path, useGround(path, code, entry, ground)];
            }),
        );
        written.push([entry, await mergeGround(entry, ground, modules, commonJs)]);
        rmSync(join(folder, chunkFolder), { recursive: true, force: true });
        for (const [path, text] of written) {
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text);
        }
      });
    },
  };
}
