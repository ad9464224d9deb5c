import type { Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

/**
 * Embeds WASM files as `Uint8Array`, compressed with Brotli, so that the program is a single file
 * that works in any folder. Base64 of the file itself would be twice as large in a VSIX.
 */
export function embedWasm(): Plugin {
  return {
    name: 'embed-wasm',
    setup(bundle) {
      bundle.onLoad({ filter: /\.wasm$/ }, async ({ path }) => ({
        contents: await promisify(brotliCompress)(await readFile(path)),
        loader: 'binary',
      }));
    },
  };
}
