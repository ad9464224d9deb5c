import { type Plugin, transform, type TransformOptions } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What esbuild's `chunkNames` has to begin with. */
export const chunkFolder = 'chunks';

/** As esbuild prints it when it does not minify. */
const apiImport = /^import \* as (\w+) from "vscode";$/gm;

/**
 * Writes the ECMAScript modules that esbuild splits as CommonJS: esbuild splits that form alone, and the
 * extension host loads CommonJS without a thread of its own. What `import()` names becomes a file of its
 * own, read when it is asked for.
 *
 * The API is taken as it is: esbuild would copy its hundreds of members once for every file that imports it.
 *
 * The build must have `format: 'esm'`, `splitting`, `write: false` and no minification, which is done here.
 */
export function splitCommonJs(options: Pick<TransformOptions, 'minify' | 'target'>): Plugin {
  return {
    name: 'split-commonjs',
    setup(bundle) {
      const { absWorkingDir = '', outdir = '', sourcemap } = bundle.initialOptions;
      bundle.onEnd(async ({ outputFiles = [], errors }) => {
        if (errors.length > 0) return;
        rmSync(join(absWorkingDir, outdir, chunkFolder), { recursive: true, force: true });
        await Promise.all(
          outputFiles.map(async ({ path, text }) => {
            const { code } = await transform(
              text.replaceAll(apiImport, 'const $1 = require("vscode");'),
              {
                ...options,
                format: 'cjs',
                platform: 'node',
                // Makes a `require` within a promise of `import()`.
                supported: { 'dynamic-import': false },
                sourcemap: sourcemap === 'inline' && 'inline',
                legalComments: 'none',
              },
            );
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, code);
          }),
        );
      });
    },
  };
}
