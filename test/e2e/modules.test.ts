import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fromRoot } from '../../scripts/support/paths';
import { startDemoService } from '../../scripts/support/demoFleet';
import { connectPublicClient } from '../publicClient/publicClient';
import { ItemPage } from './support/itemPage';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { readMachineConfig } from '../support/machineCalls';
import { findPublicPart } from './support/publicPart';
import { type Simulator, startSimulator } from './support/simulator';
import { until } from './support/until';
import { type CommandId, uiText } from './support/texts';

const organization = 'Norrvik Automation';
const name = 'dock-scale';
const [location, machine, part] = ['Finished Goods Warehouse', 'amr-01', 'amr-01-main'];
/** Wire number of the private visibility. */
const PRIVATE = 1;
const buildLimitMs = 90_000;
const restartLimitMs = 60_000;

interface Config {
  readonly modules?: readonly { readonly module_id?: string; readonly version?: string }[];
  readonly components?: readonly { readonly name: string; readonly model: string }[];
}

/** A user creates a module, publishes it, runs it on a machine, and publishes a new version. */
describe('a module, from a template to a machine', () => {
  let folder: string;
  let journey: JourneyHost;
  let simulator: Simulator;
  let client: Awaited<ReturnType<typeof connectPublicClient>>;
  let page: ItemPage;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-modules-'));
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    simulator = startSimulator(service, 1);
    client = await connectPublicClient(service.credentials);
    page = new ItemPage(journey.vsCode.page);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    try {
      await simulator.stop();
    } finally {
      await journey.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const inModule = (...path: string[]): string => join(folder, name, ...path);
  const archive = (): string => inModule('dist', 'archive.tar.gz');

  /** Returns the module according to a third-party client. */
  async function published() {
    const { organizationId } = journey.service.credentials;
    const modules = await client.appClient.listModules(organizationId);
    return modules.find((module) => module.name === name);
  }

  async function versions(): Promise<readonly (readonly [string, readonly string[]])[]> {
    const module = await published();
    return (module?.versions ?? []).map(
      ({ version, files }) => [version, files.map(({ platform }) => platform)] as const,
    );
  }

  function readPart() {
    const { organizationId } = journey.service.credentials;
    return findPublicPart(client.appClient, organizationId, { location, machine, part });
  }

  async function readConfig(): Promise<Config> {
    const { id } = await readPart();
    return JSON.parse((await client.appClient.getRobotPart(id)).configJson) as Config;
  }

  it('is generated, and registered', async () => {
    const { quickInput, messages, run } = workbench();
    await run('fleetwright.module.generate');
    await quickInput.pick(organization);
    await quickInput.pick('rdk:component:sensor');
    await quickInput.pick('TypeScript');
    await quickInput.enterText(name);
    await quickInput.enterText('scale');
    await quickInput.pick(basename(folder));
    await messages.pressButton(uiText('registerModule'));
    await quickInput.title(uiText('registerModule')).waitFor();
    await quickInput.accept();
    await messages.waitForMessage(uiText('moduleCreated'));
    assert.ok(existsSync(inModule('README.md')));
    assert.equal((await published())?.versions.length, 0);
  });

  it('is built by its own command, in a task', async () => {
    const { quickInput, messages, run } = workbench();
    // Use the packages of this repository instead of those that the module's setup would download.
    symlinkSync(fromRoot('node_modules'), inModule('node_modules'), 'junction');
    const manifest = readFileSync(inModule('meta.json'), 'utf8');
    writeFileSync(inModule('meta.json'), manifest.replace('"setup": "npm install",', ''));
    await run('fleetwright.module.build');
    await quickInput.row('linux/amd64').waitFor();
    await quickInput.accept();
    await until('the archive is there', () => Promise.resolve(existsSync(archive())), buildLimitMs);
    await messages.pressButton(uiText('uploadModuleVersion'), 'dock-scale');
  });

  it('is uploaded as 1.0.0', async () => {
    const { quickInput, messages } = workbench();
    await quickInput.title(uiText('uploadModuleVersion')).waitFor();
    await quickInput.pick(uiText('selectPlatform'));
    await quickInput.pick('linux/amd64');
    await quickInput.pick(uiText('version'));
    await quickInput.enterText('1.0.0');
    await quickInput.pick(uiText('uploadVersion', '1.0.0'));
    await messages.waitForMessage(uiText('uploaded', undefined, '1.0.0', 'linux/amd64'));
    assert.deepEqual(await versions(), [['1.0.0', ['linux/amd64']]]);
  });

  it('is in the registry, with its own page', async () => {
    const { fleet } = workbench();
    await fleet.open();
    await fleet.expand(organization, uiText('modules'), name);
    await fleet.row('1.0.0').waitFor();
    await fleet.click(name);
    await page.heading(name).first().waitFor();
    await page.text('1.0.0').waitFor();
  });

  it('is deployed to a machine as an edit to review, after which that restarts', async () => {
    const { fleet, quickInput, editors, messages } = workbench();
    await fleet.menu(name, 'fleetwright.module.deploy');
    await quickInput.pick(uiText('findPart'));
    await quickInput.pick(part);
    // The comma follows the label. The pin's row contains the version, too, as its current one.
    await quickInput.pick('1.0.0,', '1.0.0');
    await quickInput.pick(`${name}:scale`);
    await editors.dirtyTab.waitFor();
    await editors.goToText(`:${name}",`);
    await editors.line('"version": "1.0.0"').waitFor();
    assert.deepEqual(((await readConfig()).modules ?? []).filter(isDockScale), []);
    await editors.focus();
    await editors.saved();
    await messages.pressButton(uiText('restart'));
    await messages.pressDialogButton(uiText('restart'));
    await messages.waitForMessage(uiText('backOnline', part), restartLimitMs);
    const { modules, components } = await readConfig();
    assert.deepEqual(
      modules?.filter(isDockScale).map(({ version }) => version),
      ['1.0.0'],
    );
    assert.ok(components?.some(({ model }) => model.endsWith(`:${name}:scale`)));
  });

  it('is changed, built, and uploaded again with one command, as 1.0.1', async () => {
    const { quickInput, messages, run } = workbench();
    const before = statSync(archive()).mtimeMs;
    writeFileSync(
      inModule('README.md'),
      '# Dock scale\n\nWeighs to the gram.\n\n## Model\n\nA scale.\n',
    );
    await run('fleetwright.module.build');
    await quickInput.row('linux/amd64').waitFor();
    await quickInput.accept();
    await until(
      'it is built again',
      () => Promise.resolve(existsSync(archive()) && statSync(archive()).mtimeMs > before),
      buildLimitMs,
    );
    await messages.waitForMessage(uiText('builtFor', undefined, 'linux/amd64'));
    await run('fleetwright.module.repeatUpload');
    await messages.waitForMessage(uiText('uploaded', undefined, '1.0.1', 'linux/amd64'));
    assert.deepEqual(new Map(await versions()).get('1.0.1'), ['linux/amd64']);
  });

  it('runs in its next version where it was last deployed', async () => {
    const { fleet, quickInput, editors, messages } = workbench();
    await fleet.open();
    await fleet.menu('1.0.1', 'fleetwright.module.deploy');
    await quickInput.pick(part);
    await editors.dirtyTab.waitFor();
    await editors.goToText('"1.0.1"');
    await editors.saved();
    await messages.waitForMessage('1.0.1');
    const { modules } = await readConfig();
    assert.deepEqual(
      modules?.filter(isDockScale).map(({ version }) => version),
      ['1.0.1'],
    );
  });

  it('is the same for public clients and for the machine', async () => {
    const module = await published();
    assert.equal(module?.visibility, PRIVATE);
    assert.deepEqual(
      new Map(await versions()),
      new Map([
        ['1.0.0', ['linux/amd64']],
        ['1.0.1', ['linux/amd64']],
      ]),
    );
    const item = await client.appClient.getRegistryItem(module.moduleId);
    assert.equal(Number(item?.totalRobotUsage), 1);
    const { id, secrets } = await readPart();
    const secret = secrets[0]?.secret ?? '';
    const { modules, packages } = await readMachineConfig(journey.service.url, { id, secret });
    const called = modules?.find(({ moduleId }) => moduleId === module.moduleId);
    assert.ok(called?.path.endsWith('}/run.sh'), called?.path);
    const fetched = packages?.find((one) => one.name === called?.name);
    assert.equal(fetched?.version, '1.0.1');
  });

  function isDockScale({ module_id = '' }: { readonly module_id?: string }): boolean {
    return module_id.endsWith(`:${name}`);
  }

  function workbench() {
    const { workbench: window } = journey.vsCode;
    const { fleet, editors, quickInput, messages } = window;
    return {
      fleet,
      editors,
      quickInput,
      messages,
      run: (command: CommandId) => window.run(command),
    };
  }
});
