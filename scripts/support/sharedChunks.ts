import { type Plugin, transform, type TransformOptions } from 'esbuild';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Required value of esbuild's `chunkNames` for code that several entry points share. The chunks are
 * next to the entry points, so that `__dirname` is the same folder in both.
 */
export const SHARED_CHUNK = 'shared-[hash]';

const CHUNK_FILE = /^shared-\w+\.js$/;

interface CommonJsOptions extends Pick<TransformOptions, 'minify' | 'target'> {
  /** First lines of entry points, by the name of the entry point. */
  readonly banners: Readonly<Record<string, string>>;
}

/**
 * Writes split programs as CommonJS, because esbuild can split only ECMAScript modules. The build
 * must have `format: 'esm'`, `splitting`, and `write: false`.
 */
export function convertToCommonJs({ banners, ...options }: CommonJsOptions): Plugin {
  return {
    name: 'convert-to-commonjs',
    setup(bundle) {
      const { sourcemap } = bundle.initialOptions;
      bundle.onEnd(async ({ outputFiles = [], errors }) => {
        if (errors.length > 0) return;
        await Promise.all(
          outputFiles.map(async ({ path, text }) => {
            const { code } = await transform(text, {
              ...options,
              format: 'cjs',
              platform: 'node',
              sourcemap: sourcemap === 'inline' && 'inline',
              legalComments: 'none',
              banner: banners[basename(path, '.js')] ?? '',
            });
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, code);
          }),
        );
        deleteOtherChunks(outputFiles.map(({ path }) => path));
      });
    },
  };
}

/** Deletes shared chunks of earlier builds, which would be packaged with the current ones. */
export function removeOldChunks(): Plugin {
  return {
    name: 'remove-old-chunks',
    setup(bundle) {
      const { absWorkingDir = '', write = true } = bundle.initialOptions;
      bundle.onEnd(({ metafile, errors }) => {
        if (errors.length > 0 || !metafile || !write) return;
        deleteOtherChunks(Object.keys(metafile.outputs).map((path) => join(absWorkingDir, path)));
      });
    },
  };
}

function deleteOtherChunks(written: readonly string[]): void {
  for (const folder of new Set(written.map((path) => dirname(path)))) {
    const chunks = readdirSync(folder).filter((file) => CHUNK_FILE.test(file));
    for (const chunk of chunks.map((file) => join(folder, file))) {
      if (!written.includes(chunk)) rmSync(chunk);
    }
  }
}
