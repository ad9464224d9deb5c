import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { root } from '../../../scripts/support/paths';
import { waitUntil } from '../../support/waitUntil';

interface Loader {
  activate(context: object): unknown;
  deactivate(): unknown;
}

describe("the extension's loader", () => {
  let folder: string;
  let cacheFolder: string;
  let loader: Loader;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-loader-'));
    cacheFolder = join(folder, 'storage', 'codeCache');
    await build({
      absWorkingDir: root,
      entryPoints: { extension: 'src/loader/main.ts' },
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    loader = createRequire(join(folder, 'x.js'))('./extension.js') as Loader;
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(() => {
    mock.timers.reset();
    rmSync(folder, { recursive: true, force: true });
  });

  function writeExtension(text: string): void {
    writeFileSync(join(folder, 'extensionMain.js'), text);
  }

  function createContext(): { readonly subscriptions: { dispose(): unknown }[] } {
    const globalStorageUri = { fsPath: join(folder, 'storage') };
    return Object.assign({ globalStorageUri }, { subscriptions: [] });
  }

  it('activates the extension with its context and returns the result', () => {
    writeExtension('exports.activate = (context) => ({ context });');
    const context = createContext();
    assert.deepEqual(loader.activate(context), { context });
  });

  it('passes on the deactivation', () => {
    writeExtension('exports.activate = () => 1; exports.deactivate = () => "done";');
    loader.activate(createContext());
    assert.equal(loader.deactivate(), 'done');
  });

  it('accepts an extension without a deactivation', () => {
    writeExtension('exports.activate = () => 1;');
    loader.activate(createContext());
    assert.equal(loader.deactivate(), undefined);
  });

  it('writes the cache after a delay', async () => {
    writeExtension('exports.activate = () => 1;');
    loader.activate(createContext());
    assert.equal(existsSync(cacheFolder), false);
    mock.timers.runAll();
    const isWritten = (): boolean =>
      existsSync(cacheFolder) && readdirSync(cacheFolder).some((name) => name.endsWith('.bin'));
    // The wait itself needs a timer.
    mock.timers.reset();
    await waitUntil(isWritten);
  });

  it('writes no cache if VS Code exits before', async () => {
    writeExtension('exports.activate = () => 1;');
    const context = createContext();
    loader.activate(context);
    for (const subscription of context.subscriptions) subscription.dispose();
    mock.timers.runAll();
    await nextTurn();
    assert.equal(existsSync(cacheFolder), false);
  });

  it('writes no cache if the activation fails', () => {
    writeExtension('exports.activate = () => { throw new Error("broken"); };');
    const context = createContext();
    assert.throws(() => loader.activate(context), /broken/);
    assert.deepEqual(context.subscriptions, []);
  });
});
