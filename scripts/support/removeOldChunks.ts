import type { Plugin } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

/** Required value of esbuild's `chunkNames` for code that several entry points share. */
export const SHARED_CHUNK = 'shared-[hash]';

const CHUNK_FILE = /^shared-\w+\.js$/;

/**
 * Deletes shared chunks of earlier builds in the output folder, which would be packaged with the
 * current ones.
 */
export function removeOldChunks(): Plugin {
  return {
    name: 'remove-old-chunks',
    setup(bundle) {
      const { absWorkingDir = '', outdir = '', write = true } = bundle.initialOptions;
      bundle.onEnd(({ metafile, errors }) => {
        if (errors.length > 0 || !metafile || !write) return;
        const folder = resolve(absWorkingDir, outdir);
        for (const path of readdirSync(folder).map((file) => join(folder, file))) {
          const output = relative(absWorkingDir, path).replaceAll('\\', '/');
          const isChunk = CHUNK_FILE.test(basename(path));
          if (isChunk && metafile.outputs[output] === undefined) rmSync(path);
        }
      });
    },
  };
}
