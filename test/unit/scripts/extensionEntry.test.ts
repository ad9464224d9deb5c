import assert from 'node:assert/strict';
import { build, type BuildResult } from 'esbuild';
import { join } from 'node:path';
import { bundles, extensionEntry } from '../../../scripts/support/bundles';
import { findEntryChunk } from '../../../scripts/support/mergeEntryChunk';
import { root } from '../../../scripts/support/paths';

/**
 * Maximum size, in bytes, of the code for which VS Code waits; further code must be imported on
 * first use.
 */
const maxBytes = 450_000;

/** Small packages that parse configs. */
const packages = ['jsonc-parser'];

describe('the code that is loaded at activation', () => {
  let inputs: readonly string[];
  let bytes: number;

  before(async function () {
    this.timeout(120_000);
    const buildEntry = async (name: string): Promise<BuildResult['metafile']> => {
      const options = bundles({ root, production: true }).find(
        ({ entryPoints }) => entryPoints !== undefined && name in entryPoints,
      );
      const settings = { ...options, minify: true, metafile: true, write: false, plugins: [] };
      return (await build(settings)).metafile;
    };
    const [loader, metafile] = await Promise.all(['extension', extensionEntry].map(buildEntry));
    const entryModules = findEntryChunk(
      join(root, `dist/${extensionEntry}.js`),
      metafile?.outputs ?? {},
      root,
    );
    const loaded = Object.entries({ ...metafile?.outputs, ...loader?.outputs })
      .filter(([path]) => path === 'dist/extension.js' || entryModules.has(join(root, path)))
      .map(([, output]) => output);
    inputs = loaded.flatMap((output) => Object.keys(output.inputs));
    bytes = loaded.reduce((sum, output) => sum + output.bytes, 0);
  });

  it('includes all that activation needs', () => {
    assert.ok(inputs.includes('src/loader/main.ts'));
    assert.ok(inputs.includes('src/extension.ts'));
    assert.ok(inputs.includes('src/core/sessions/connectionStore.ts'));
  });

  it('excludes the contract, its client, and its validation', () => {
    assert.deepEqual(
      inputs.filter((path) => path.startsWith('src/gen/')),
      [],
    );
  });

  it('includes only packages that parse configs', () => {
    const used = inputs
      .filter((path) => path.startsWith('node_modules/'))
      .map((path) => path.split('/')[1]);
    assert.deepEqual([...new Set(used)].sort(), packages);
  });

  it('is within the size limit', () => {
    assert.ok(bytes <= maxBytes, `${bytes} bytes are read at activation.`);
  });
});
