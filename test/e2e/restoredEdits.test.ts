import assert from 'node:assert/strict';
import { createVSIX } from '@vscode/vsce';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumFlags, ensureChromium } from '../../scripts/support/chromium';
import { startCodeServer } from '../../scripts/support/codeServer';
import { fromRoot } from '../../scripts/support/paths';
import { filesBelow } from './support/filesBelow';
import { until } from './support/until';
import { Workbench } from './support/workbench';

const manifest = {
  name: 'recorder',
  publisher: 'fleetwright-test',
  version: '0.0.1',
  engines: { vscode: '^1.100.0' },
  main: './extension.js',
  // Activates the extension on both events, because VS Code can restore the document before it has
  // finished starting up.
  activationEvents: ['onStartupFinished', 'onFileSystem:fleetwright-recorded'],
};

const RESTORING_MS = 60_000;

/**
 * Complements `test/host/editorEvents.test.ts`: a suite in the extension host can't test a reload,
 * because the suite ends with its window.
 */
describe('VS Code, restoring unsaved edits after a window reload,', () => {
  let folder: string;
  let recording: string;
  let vsix: string;
  const resources = new AsyncDisposableStack();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-recorder-'));
    resources.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    recording = join(folder, 'recording.txt');
    writeFileSync(recording, '');
    const extension = join(folder, 'extension');
    vsix = join(folder, 'recorder.vsix');
    mkdirSync(extension);
    writeFileSync(join(extension, 'package.json'), JSON.stringify(manifest));
    await build({
      entryPoints: [fromRoot('test', 'host', 'support', 'recorderExtension.ts')],
      outfile: join(extension, 'extension.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
    });
    await createVSIX({
      cwd: extension,
      packagePath: vsix,
      dependencies: false,
      allowMissingRepository: true,
      skipLicense: true,
    });
  });

  after(() => resources.disposeAsync());

  const readLines = (): string[] => readFileSync(recording, 'utf8').trimEnd().split('\n');

  it('reads nothing, and reports the text with or without its dirty flag', async () => {
    const dataFolder = join(folder, 'vsCode');
    const server = await startCodeServer({
      dataFolder,
      extensions: [vsix],
      env: { FLEETWRIGHT_TEST_RECORDING: recording },
    });
    resources.defer(() => server.stop());
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: [...chromiumFlags],
    });
    resources.defer(() => browser.close());
    const page = await browser.newPage();
    await page.goto(server.url);
    const workbench = new Workbench(page);
    await workbench.ready();
    await workbench.editors.activeTab('document.txt').waitFor();
    await workbench.editors.focus();
    await workbench.editors.type('two ');
    await workbench.editors.dirtyTab.waitFor();
    await until('the edits are backed up', () =>
      filesBelow(join(dataFolder, 'user', 'User', 'Backups')).some((file) =>
        readFileSync(file, 'utf8').includes('two one'),
      ),
    );
    writeFileSync(recording, '');
    await page.reload();
    await workbench.ready();
    await workbench.editors.dirtyTab.waitFor({ timeout: RESTORING_MS });
    await until('the edits are reported', () => readLines().some((line) => line.includes('two')));
    // The state can be clean or dirty and can be reported once or twice, depending on whether the
    // extension host or the window is ready first.
    for (const line of readLines()) {
      assert.match(line, /^(?:activated|stat|(?:open|present|state) (?:clean|dirty) two one)$/);
    }
  });
});
