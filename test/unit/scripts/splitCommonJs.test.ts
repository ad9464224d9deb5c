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
      plugins: [splitCommonJs({ extension: 'extension', minify, target: 'node24' })],
    });
    return createRequire(join(folder, 'x.js'))('./dist/extension.js') as Bundled;
  }

  function chunks(): readonly string[] {
    const names = readdirSync(join(folder, 'dist', 'chunks'));
    return names
      .filter((name) => name !== 'entryModules.js')
      .map((name) => name.replace(/-.*/, ''))
      .sort();
  }

  for (const minify of [false, true]) {
    it(`preserves the API ${minify ? 'and minifies' : 'and the text'}`, async () => {
      const { names, api } = await bundled(minify);
      assert.deepEqual(names, ['api', 'api']);
      assert.equal(api, createRequire(join(folder, 'x.js'))('vscode'));
    });
  }

  it('loads dynamic imports on demand', async () => {
    const { later } = await bundled(true);
    assert.deepEqual(chunks(), ['deep', 'later']);
    assert.equal((await later()).answer, 42);
  });

  it('loads shared dependencies of a module on demand', async () => {
    const { deep } = await bundled(true);
    assert.equal((await deep()).depth, 7);
  });

  it('preserves one value of changing variables', async () => {
    const { later, add, counted } = await bundled(true);
    const loaded = await later();
    add();
    assert.deepEqual([counted(), loaded.counted()], [2, 2]);
  });

  for (const minify of [false, true]) {
    it(`loads shared modules once, with the entry point${minify ? ', minified' : ''}`, async () => {
      const { later, state, api } = await bundled(minify);
      assert.deepEqual(chunks(), ['deep', 'later']);
      const loaded = await later();
      assert.equal(loaded.sharedState, state);
      assert.equal(loaded.api, api);
    });
  }

  it('requires the API of the host once', async () => {
    await bundled(true);
    const text = readFileSync(join(folder, 'dist/extension.js'), 'utf8');
    assert.equal(text.split('require("vscode")').length, 2);
  });

  it('deletes the chunks of an earlier build', async () => {
    write('dist/chunks/old-1.js', '');
    await bundled(false);
    assert.equal(existsSync(join(folder, 'dist/chunks/old-1.js')), false);
  });

  describe('with a program', () => {
    async function run(): Promise<readonly unknown[]> {
      write('node_modules/vscode/index.js', 'throw new Error("not in VS Code");');
      write('src/state.ts', 'export const state = { count: 0 };');
      write('src/pure.ts', 'export const double = (value: number) => 2 * value;');
      write(
        'src/work.ts',
        'import { state } from "./state";\nexport const work = () => (state.count += 1);',
      );
      write(
        'src/extension.ts',
        [
          'import * as vscode from "vscode";',
          'import { state } from "./state";',
          'export const names = [vscode, state];',
          'export const later = () => Promise.all([import("./work"), import("./pure")]);',
        ].join('\n'),
      );
      write(
        'src/program.ts',
        [
          'import { double } from "./pure";',
          'import { state } from "./state";',
          'import { work } from "./work";',
          'work();',
          'export const results = [double(21), state.count];',
        ].join('\n'),
      );
      await build({
        absWorkingDir: folder,
        entryPoints: { extension: 'src/extension.ts', program: 'src/program.ts' },
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
        plugins: [
          splitCommonJs({
            extension: 'extension',
            banners: { program: '#!/usr/bin/env node' },
            minify: true,
            target: 'node24',
          }),
        ],
      });
      const { results } = createRequire(join(folder, 'x.js'))('./dist/program.js') as {
        readonly results: readonly unknown[];
      };
      return results;
    }

    it('runs the program without the API and with one instance of each module', async () => {
      assert.deepEqual(await run(), [42, 1]);
    });

    it('shares all chunks that are not merged with the entry point', async () => {
      await run();
      const chunksFolder = join(folder, 'dist', 'chunks');
      const findChunks = (text: string): readonly string[] =>
        readdirSync(chunksFolder).filter((name) =>
          readFileSync(join(chunksFolder, name), 'utf8').includes(text),
        );
      assert.equal(findChunks('2*').length, 1);
      assert.equal(findChunks('count+=1').length, 1);
    });

    it('adds the first line of the program', async () => {
      await run();
      assert.match(
        readFileSync(join(folder, 'dist/program.js'), 'utf8'),
        /^#!\/usr\/bin\/env node\n/,
      );
    });
  });
});
