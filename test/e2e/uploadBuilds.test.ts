import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { startDemoService } from '../../scripts/support/demoFleet';
import { connectPublicClient } from '../publicClient/publicClient';
import { appears, succeeds } from './support/appears';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';
import { getCommandTitle, uiText } from './support/texts';

const name = 'belt-scale';
const glanceMs = 2_000;
const BUILDS = { amd64: 'dist/a-linux-amd64.tar.gz', arm64: 'dist/a-linux-arm64.tar.gz' } as const;

/** Tests with errors between the uploads for two platforms, and between a check and an upload. */
describe('builds that are uploaded in parts', () => {
  let folder: string;
  let elsewhere: string;
  let journey: JourneyHost;
  let client: Awaited<ReturnType<typeof connectPublicClient>>;
  let moduleId: string;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-uploads-')));
    elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-elsewhere-')));
    writeFileSync(join(folder, 'meta.json'), '{"title":"A book","pages":7}');
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    client = await connectPublicClient(service.credentials);
    const { organizationId } = service.credentials;
    ({ moduleId } = await client.appClient.createModule(organizationId, name));
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    for (const one of [folder, elsewhere]) rmSync(one, { recursive: true, force: true });
  });

  function writeManifest(path: string): void {
    const manifest = { module_id: moduleId, visibility: 'private', entrypoint: 'main', models: [] };
    const build = { path, arch: ['linux/amd64', 'linux/arm64'] };
    writeFileSync(join(folder, 'meta.json'), JSON.stringify({ ...manifest, build }, undefined, 2));
  }

  async function writeBuild(path: string, content: string): Promise<void> {
    const source = join(elsewhere, 'source');
    mkdirSync(source, { recursive: true });
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(source, 'main'), `#!/bin/sh\n# ${content}\n`);
    chmodSync(join(source, 'main'), 0o755);
    await create({ cwd: source, file: join(folder, path), gzip: true }, ['main']);
  }

  async function versions(): Promise<ReadonlyMap<string, readonly string[]>> {
    const module = await client.appClient.getModule(moduleId);
    return new Map(
      module?.versions.map(({ version, files }) => {
        return [version, files.map(({ platform }) => platform).sort()] as const;
      }),
    );
  }

  /** Returns true if the explorer's menu offers to build the manifest. */
  async function offersToBuild(): Promise<boolean> {
    const { page } = journey.vsCode;
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'meta.json' });
    const menu = page.locator('.context-view .action-item', { hasText: 'Copy Path' }).first();
    await until('the menu is open', async () => {
      if (!(await row.first().isVisible())) await page.keyboard.press('Control+Shift+E');
      const isClicked = await succeeds(row.first().click({ button: 'right', timeout: glanceMs }));
      return isClicked && appears(menu, glanceMs);
    });
    const entry = page.locator('.context-view .action-item', {
      hasText: getCommandTitle('fleetwright.module.build'),
    });
    const isOffered = await entry.first().isVisible();
    await page.keyboard.press('Escape');
    return isOffered;
  }

  it('are offered only for manifests of modules among files with the same name', async () => {
    assert.equal(await offersToBuild(), false);
    writeManifest('dist/a.tar.gz');
    await until('the manifest is known', offersToBuild);
  });

  it('prompt if a link leads out of the module', async () => {
    const { messages } = journey.vsCode.workbench;
    mkdirSync(join(elsewhere, 'secrets'));
    writeFileSync(join(elsewhere, 'secrets', 'main'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync(join(elsewhere, 'secrets'), join(folder, 'out'));
    writeManifest('out');
    await journey.vsCode.workbench.run('fleetwright.module.uploadBuild');
    const warning = messages.dialog.filter({ hasText: uiText('throughLink', 'out') });
    await warning.filter({ hasText: 'secrets' }).waitFor();
    await messages.pressDialogButton(uiText('cancel'));
    rmSync(join(folder, 'out'));
    assert.equal((await versions()).size, 0);
  });

  it('upload what is missing of a partly uploaded version', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    writeManifest('dist/a.tar.gz');
    await writeBuild(BUILDS.amd64, 'first');
    await writeBuild(BUILDS.arm64, 'first');
    await journey.vsCode.workbench.run('fleetwright.module.uploadBuild');
    await quickInput.pick(uiText('version'));
    await quickInput.enterText('1.0.0');
    await quickInput.row(uiText('uploadVersion', '1.0.0')).waitFor();
    rmSync(join(folder, BUILDS.arm64));
    await quickInput.pick(uiText('uploadVersion', '1.0.0'));
    await messages.waitForMessage(uiText('uploadFailed', moduleId, '1.0.0', 'linux/arm64'));
    await messages.waitForMessage(uiText('registered', 'linux/amd64'));
    assert.deepEqual((await versions()).get('1.0.0'), ['linux/amd64']);
    await writeBuild(BUILDS.arm64, 'first');
    await journey.vsCode.workbench.run('fleetwright.module.repeatUpload');
    await messages.waitForMessage(uiText('uploaded', moduleId, '1.0.0', 'linux/arm64'));
    assert.deepEqual([...(await versions())], [['1.0.0', ['linux/amd64', 'linux/arm64']]]);
  });

  it('are checked again if they were replaced after the check', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    await writeBuild(BUILDS.amd64, 'second');
    await writeBuild(BUILDS.arm64, 'second');
    await journey.vsCode.workbench.run('fleetwright.module.uploadBuild');
    await quickInput.row(uiText('uploadVersion', '1.0.1')).waitFor();
    await writeBuild(BUILDS.amd64, 'third, which no one has checked');
    await quickInput.pick(uiText('uploadVersion', '1.0.1'));
    await messages.pressButton(uiText('uploadAgain'));
    await messages.waitForMessage(
      uiText('uploaded', moduleId, '1.0.1', 'linux/amd64 and linux/arm64'),
    );
    assert.deepEqual((await versions()).get('1.0.1'), ['linux/amd64', 'linux/arm64']);
  });
});
