import assert from 'node:assert/strict';
import { build } from 'esbuild';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { splitCommonJs } from '../../../scripts/support/splitCommonJs';

interface Later {
  readonly counted: () => number;
  readonly answer: number;
  readonly sharedState: object;
  readonly api: unknown;
}

interface Bundled {
  readonly add: () => void;
  readonly counted: () => number;
  readonly deep: () => Promise<{ readonly depth: number }>;
  readonly names: readonly string[];
  readonly api: unknown;
  readonly state: object;
  readonly later: () => Promise<Later>;
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
    write('src/deep.ts', 'export const depth = 7;');
    write(
      'src/shared.ts',
      [
        'export const state = {};',
        'export let count = 0;',
        'export const add = () => { count += 1; };',
        'export const deep = () => import("./deep");',
      ].join('\n'),
    );
    write(
      'src/later.ts',
      [
        'import * as vscode from "vscode";',
        'import { add, count, state } from "./shared";',
        'add();',
        'export const answer = 42;',
        'export const counted = () => count;',
        'export const api = vscode;',
        'export const sharedState = state;',
      ].join('\n'),
    );
    write('src/other.ts', 'import * as vscode from "vscode";\nexport const other = vscode.name;');
    write(
      'src/extension.ts',
      [
        'import * as vscode from "vscode";',
        'import { other } from "./other";',
        'export const names = [vscode.name, other];',
        'export const api = vscode;',
        'import { add, count, deep } from "./shared";',
        'export { add, deep };',
        'export const counted = () => count;',
        'export { state } from "./shared";',
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
      metafile: true,
      chunkNames: 'chunks/[name]-[hash]',
      write: false,
      logLevel: 'silent',
      plugins: [splitCommonJs({ minify, target: 'node24' })],
    });
    return createRequire(join(folder, 'x.js'))('./dist/extension.js') as Bundled;
  }

  function chunks(): readonly string[] {
    const names = readdirSync(join(folder, 'dist', 'chunks'));
    return names.map((name) => name.replace(/-.*/, '')).sort();
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
    assert.deepEqual(chunks(), ['deep', 'later']);
    assert.equal((await later()).answer, 42);
  });

  it('reads later what a module asks for that is shared', async () => {
    const { deep } = await bundled(true);
    assert.equal((await deep()).depth, 7);
  });

  it('keeps one value of what changes', async () => {
    const { later, add, counted } = await bundled(true);
    const loaded = await later();
    add();
    assert.deepEqual([counted(), loaded.counted()], [2, 2]);
  });

  for (const minify of [false, true]) {
    it(`reads what both need once, with the entry point${minify ? ', minified' : ''}`, async () => {
      const { later, state, api } = await bundled(minify);
      assert.deepEqual(chunks(), ['deep', 'later']);
      const loaded = await later();
      assert.equal(loaded.sharedState, state);
      assert.equal(loaded.api, api);
    });
  }

  it('asks the host for the API once', async () => {
    await bundled(true);
    const text = readFileSync(join(folder, 'dist/extension.js'), 'utf8');
    assert.equal(text.split('require("vscode")').length, 2);
  });

  it('leaves no chunk of a former build', async () => {
    write('dist/chunks/old-1.js', '');
    await bundled(false);
    assert.equal(existsSync(join(folder, 'dist/chunks/old-1.js')), false);
  });
});
