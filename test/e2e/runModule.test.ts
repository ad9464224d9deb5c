import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { fromRoot } from '../../scripts/support/paths';
import { generatedInto } from '../support/generatedModule';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';
import { uiText } from './support/texts';

describe('running a generated module locally', () => {
  let journey: JourneyHost;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-module-'));
    const module = join(folder, 'module');
    symlinkSync(fromRoot('node_modules'), join(folder, 'node_modules'));
    generatedInto(module, 'sensor', 'typescript');
    build(module);
    journey = await startJourneyWith(await startDemoService(), module);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Builds a module as its manifest specifies, and makes it start with the Node.js that runs this
   * test.
   */
  function build(module: string): void {
    const PATH = `${fromRoot('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
    const options = { cwd: module, env: { ...process.env, PATH }, encoding: 'utf8' } as const;
    for (const [program, argument] of [
      ['buf', 'generate'],
      [process.execPath, 'build.mjs'],
    ] as const) {
      const { status, stderr } = spawnSync(program, [argument], options);
      assert.equal(status, 0, stderr);
    }
    const run = `#!/bin/sh\necho $$ "$1" > '${join(folder, 'started')}'\nexec '${process.execPath}' dist/main.mjs "$@"\n`;
    writeFileSync(join(module, 'run.sh'), run, { mode: 0o755 });
    const manifest = JSON.parse(readFileSync(join(module, 'meta.json'), 'utf8')) as object;
    writeFileSync(join(module, 'meta.json'), JSON.stringify({ ...manifest, build: {} }, null, 2));
  }

  it('starts the module, and shows the response of a method', async () => {
    const { workbench, page } = journey.vsCode;
    await workbench.run('fleetwright.module.runLocally');
    await workbench.quickInput.title(uiText('localRun', 'acme:weather:station')).waitFor();
    await workbench.quickInput.pick('DoCommand');
    await workbench.quickInput.title(uiText('callMethod', 'DoCommand')).waitFor();
    await workbench.quickInput.enterText('{ "command": { "blink": 2 } }');
    await workbench.editors.text('"blink": 2').waitFor();
    await page.locator('.part.statusbar').getByText('acme:weather:station').waitFor();
  });

  it('stops the module and its socket with Stop Module', async () => {
    const { workbench, page } = journey.vsCode;
    const [id = '', socket = ''] = readFileSync(join(folder, 'started'), 'utf8').trim().split(' ');
    await workbench.run('fleetwright.module.runLocally');
    await workbench.quickInput.pick(uiText('stopModule'));
    await page
      .locator('.part.statusbar')
      .getByText('acme:weather:station')
      .waitFor({ state: 'detached' });
    await until('the module has exited', () => {
      const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', id], { encoding: 'utf8' });
      return /^(Z|$)/.test(stdout.trim());
    });
    await until('its folder is removed', () => !existsSync(dirname(socket)));
  });
});
