import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/support/paths';
import { loadWithCodeCache } from '../../../src/loader/codeCache';

interface Example {
  readonly answer: () => number;
  readonly module: NodeJS.Module;
  readonly require: NodeJS.Require;
  readonly filename: string;
  readonly folder: string;
  readonly later: () => Example;
}

const source = [
  '"use strict";',
  'exports.answer = () => 41 + 1;',
  'exports.module = module;',
  'exports.require = require;',
  'exports.filename = __filename;',
  'exports.folder = __dirname;',
  'exports.later = () => require("./chunks/later.js").main;',
].join('\n');

describe('loading with a code cache', () => {
  const requireHere = createRequire(__filename);
  let folder: string;
  let file: string;
  let cacheFolder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-code-cache-')));
    file = join(folder, 'main.js');
    cacheFolder = join(folder, 'storage', 'codeCache');
    mkdirSync(join(folder, 'chunks'));
    writeFileSync(join(folder, 'chunks', 'later.js'), 'exports.main = require("../main.js");');
    writeFileSync(file, source);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Loads the module as another process would. */
  function load(path = file): { exports: Example; save: (() => Promise<void>) | undefined } {
    for (const key of Object.keys(requireHere.cache)) {
      if (key.startsWith(folder)) Reflect.deleteProperty(requireHere.cache, key);
    }
    const { exports, saveCodeCache } = loadWithCodeCache(path, cacheFolder);
    return { exports: exports as Example, save: saveCodeCache };
  }

  async function loadAndSave(): Promise<string> {
    const { exports, save } = load();
    exports.answer();
    assert.ok(save !== undefined);
    await save();
    const names = readdirSync(cacheFolder);
    assert.equal(names.length, 1);
    return join(cacheFolder, names[0] ?? '');
  }

  it('uses the cache at the second start', async () => {
    await loadAndSave();
    const { exports, save } = load();
    assert.equal(exports.answer(), 42);
    assert.equal(save, undefined);
  });

  for (const start of ['first', 'second']) {
    it(`loads a real module at the ${start} start`, async () => {
      if (start === 'second') await loadAndSave();
      const { exports } = load();
      assert.equal(exports.filename, file);
      assert.equal(exports.folder, folder);
      assert.equal(exports.module, requireHere.cache[file]);
      assert.equal(exports.module.filename, file);
      assert.equal(exports.module.loaded, true);
      assert.ok(exports.module.paths.includes(join(folder, 'node_modules')));
      assert.equal(exports.require.resolve('./chunks/later.js'), join(folder, 'chunks/later.js'));
      assert.equal(exports.later(), exports);
      const later = requireHere.cache[join(folder, 'chunks', 'later.js')];
      assert.ok(later !== undefined && exports.module.children.includes(later));
    });
  }

  it('loads the module once', () => {
    const { exports } = load();
    assert.equal(loadWithCodeCache(file, cacheFolder).exports, exports);
  });

  it('loads one instance below a symbolic link', () => {
    const link = join(folder, 'link');
    symlinkSync(folder, link, 'junction');
    const { exports } = load(join(link, 'main.js'));
    assert.equal(exports.filename, file);
    assert.equal(exports.later(), exports);
  });

  it('runs changed code of the same length', async () => {
    await loadAndSave();
    writeFileSync(file, source.replace('41 + 1', '41 + 2'));
    const { exports, save } = load();
    assert.equal(exports.answer(), 43);
    assert.ok(save !== undefined);
  });

  it('deletes the caches of other versions', async () => {
    const former = await loadAndSave();
    writeFileSync(join(cacheFolder, 'x.unfinished'), '');
    writeFileSync(file, source.replace('41 + 1', '41 + 2'));
    assert.notEqual(await loadAndSave(), former);
    assert.equal(load().save, undefined);
  });

  const damages: Record<string, (cache: string) => void> = {
    'is empty': (cache) => truncateSync(cache, 0),
    'is truncated': (cache) => truncateSync(cache, readFileSync(cache).length - 100),
    'has a changed byte': (cache) => {
      const data = readFileSync(cache);
      const index = data.length - 200;
      data.writeUInt8((data[index] ?? 0) ^ 1, index);
      writeFileSync(cache, data);
    },
    'is a folder': (cache) => {
      rmSync(cache);
      mkdirSync(cache);
    },
  };
  for (const [state, damage] of Object.entries(damages)) {
    it(`loads without a cache that ${state}`, async () => {
      damage(await loadAndSave());
      const { exports, save } = load();
      assert.equal(exports.answer(), 42);
      assert.ok(save !== undefined);
      await save();
    });
  }

  it('replaces a damaged cache', async () => {
    truncateSync(await loadAndSave(), 50);
    await loadAndSave();
    assert.equal(load().save, undefined);
  });

  it('loads without a writable folder', async () => {
    writeFileSync(join(folder, 'storage'), 'a file instead of a folder');
    const { exports, save } = load();
    assert.equal(exports.answer(), 42);
    await save?.();
    assert.equal(readFileSync(join(folder, 'storage'), 'utf8'), 'a file instead of a folder');
  });

  it('leaves no partial file if it can write but not rename', async () => {
    const cache = await loadAndSave();
    rmSync(cache);
    mkdirSync(join(cache, 'in the way'), { recursive: true });
    const { exports, save } = load();
    await save?.();
    assert.equal(exports.answer(), 42);
    assert.deepEqual(readdirSync(cacheFolder), [cache.slice(cacheFolder.length + 1)]);
  });

  it('reports an error of the module once and loads it again later', () => {
    writeFileSync(
      file,
      'globalThis.fleetwrightRuns = (globalThis.fleetwrightRuns ?? 0) + 1; throw new Error("broken");',
    );
    const globals = globalThis as { fleetwrightRuns?: number };
    try {
      assert.throws(() => load(), /broken/);
      assert.equal(globals.fleetwrightRuns, 1);
      assert.equal(requireHere.cache[file], undefined);
    } finally {
      delete globals.fleetwrightRuns;
    }
  });

  it('reports a syntax error like require', () => {
    writeFileSync(file, 'const = 1;');
    assert.throws(() => load(), { name: 'SyntaxError', stack: /main\.js:1\n/ });
  });

  it('reports the column of an error on the first line', () => {
    writeFileSync(file, 'throw new Error("broken");');
    assert.throws(() => load(), { stack: /main\.js:1:7\b/ });
  });

  // V8 uses functions that it has in memory rather than a cache, even if it would reject the cache.
  describe('in separate processes', () => {
    interface Start {
      readonly answer: number;
      readonly usedCache: boolean;
    }

    beforeEach(async () => {
      await build({
        absWorkingDir: root,
        entryPoints: ['src/loader/codeCache.ts'],
        outfile: join(folder, 'codeCache.js'),
        bundle: true,
        platform: 'node',
        format: 'cjs',
      });
    });

    function start(flags: readonly string[] = []): Start {
      const script = `
        const { loadWithCodeCache } = require(${JSON.stringify(join(folder, 'codeCache.js'))});
        const loaded = loadWithCodeCache(${JSON.stringify(file)}, ${JSON.stringify(cacheFolder)});
        const answer = loaded.exports.answer();
        const usedCache = loaded.saveCodeCache === undefined;
        Promise.resolve(loaded.saveCodeCache?.()).then(() =>
          process.stdout.write(JSON.stringify({ answer, usedCache })));`;
      const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', script], {
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      assert.equal(stderr, '');
      return JSON.parse(stdout) as Start;
    }

    it('uses the cache at the second start', () => {
      assert.deepEqual(start(), { answer: 42, usedCache: false });
      assert.deepEqual(start(), { answer: 42, usedCache: true });
    });

    it('replaces a cache that V8 rejects, as after a change of its flags', () => {
      start();
      const flags = ['--no-opt'];
      assert.deepEqual(start(flags), { answer: 42, usedCache: false });
      assert.deepEqual(start(flags), { answer: 42, usedCache: true });
      assert.equal(readdirSync(cacheFolder).length, 1);
    });
  });
});
