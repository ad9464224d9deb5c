import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { splitCommonJs } from '../../../scripts/support/splitCommonJs';

interface Bundled {
  readonly names: readonly string[];
  readonly api: unknown;
  readonly later: () => Promise<{ readonly answer: number }>;
}

describe('splitting the extension', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-split-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, text: string): void {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  async function bundled(minify: boolean): Promise<Bundled> {
    write('node_modules/vscode/index.js', 'module.exports = Object.freeze({ name: "api" });');
    write('src/later.ts', 'export const answer = 42;');
    write('src/other.ts', 'import * as vscode from "vscode";\nexport const other = vscode.name;');
    write(
      'src/extension.ts',
      [
        'import * as vscode from "vscode";',
        'import { other } from "./other";',
        'export const names = [vscode.name, other];',
        'export const api = vscode;',
        'export const later = () => import("./later");',
      ].join('\n'),
    );
    await build({
      absWorkingDir: folder,
      entryPoints: { extension: 'src/extension.ts' },
      outdir: 'dist',
      bundle: true,
      platform: 'node',
      external: ['vscode'],
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      write: false,
      logLevel: 'silent',
      plugins: [splitCommonJs({ minify, target: 'node24' })],
    });
    return createRequire(join(folder, 'x.js'))('./dist/extension.js') as Bundled;
  }

  for (const minify of [false, true]) {
    it(`takes the API as it is ${minify ? 'and minifies' : 'and keeps the text'}`, async () => {
      const { names, api } = await bundled(minify);
      assert.deepEqual(names, ['api', 'api']);
      assert.equal(api, createRequire(join(folder, 'x.js'))('vscode'));
    });
  }

  it('reads what is imported later when it is asked for', async () => {
    const { later } = await bundled(true);
    assert.equal(readdirSync(join(folder, 'dist', 'chunks')).length, 1);
    assert.equal((await later()).answer, 42);
  });

  it('leaves no chunk of a former build', async () => {
    write('dist/chunks/old-1.js', '');
    await bundled(false);
    assert.equal(existsSync(join(folder, 'dist/chunks/old-1.js')), false);
  });
});
