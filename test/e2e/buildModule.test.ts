import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { appApi, connectPublicClient } from '../publicClient/publicClient';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const name = 'conveyor-belt';

describe('registering, building and describing a module', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-module-'));
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    client = await connectPublicClient(service.credentials);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const moduleId = (): string => (JSON.parse(read('meta.json')) as { module_id: string }).module_id;

  function writeManifest(build: string, visibility: string): void {
    const manifest = {
      module_id: moduleId(),
      visibility,
      description: 'Moves boxes',
      markdown_link: 'README.md',
      entrypoint: 'dist/main',
      models: [{ api: 'rdk:component:base', model: `${moduleId()}:fast` }],
      build: {
        setup: 'echo setup >> log',
        build,
        path: 'dist/archive.tar.gz',
        arch: ['linux/amd64', 'linux/arm64'],
      },
    };
    writeFileSync(join(folder, 'README.md'), '# Belt\n\nMoves.\n');
    writeFileSync(join(folder, 'meta.json'), JSON.stringify(manifest, undefined, 2));
  }

  it('registers the module under a valid name, with a manifest', async () => {
    const { workbench } = journey.vsCode;
    const { quickInput } = workbench;
    await workbench.run('fleetwright.module.create');
    await quickInput.pick(folder);
    await quickInput.pick(organization);
    await quickInput.title(uiText('registerModule')).waitFor();
    await quickInput.type('my belt');
    await quickInput.problem.getByText(uiText('nameRule')).waitFor();
    await quickInput.enterText(name);
    await workbench.messages.waitForMessage(uiText('moduleCreated'));
    const module = await client.appClient.getModule(moduleId());
    assert.equal(module?.visibility, appApi.Visibility.PRIVATE);
  });

  it('shows build errors of a file in Problems', async () => {
    const { workbench, page } = journey.vsCode;
    writeFileSync(join(folder, 'belt.c'), 'int main;\n');
    writeManifest('echo "belt.c:1:5: error: main is no function"; exit 2', 'private');
    await workbench.run('fleetwright.module.build');
    await workbench.quickInput.accept();
    await workbench.messages.waitForMessage(uiText('buildFailed', undefined, 2));
    await workbench.runBuiltIn('View: Toggle Problems');
    await page.getByText('main is no function').first().waitFor();
    await workbench.runBuiltIn('View: Toggle Problems');
  });

  it('builds the module for the selected platform', async () => {
    const { workbench } = journey.vsCode;
    writeManifest('mkdir -p dist; echo $VIAM_BUILD_ARCH > dist/archive.tar.gz', 'private');
    await workbench.run('fleetwright.module.build');
    await workbench.quickInput.accept();
    await workbench.messages.waitForMessage(uiText('builtFor', moduleId(), 'linux/amd64'));
    assert.equal(read('dist/archive.tar.gz'), 'amd64\n');
  });

  it('makes the module public after a confirmation, regardless of the manifest', async () => {
    const { workbench } = journey.vsCode;
    writeManifest('true', 'public');
    await workbench.run('fleetwright.module.update');
    await workbench.quickInput.pick(uiText('makeVisibility', uiText('public')));
    await workbench.messages.pressDialogButton(uiText('update'));
    await workbench.messages.waitForMessage(uiText('updated', moduleId()));
    const module = await client.appClient.getModule(moduleId());
    assert.equal(module?.visibility, appApi.Visibility.PUBLIC);
    assert.deepEqual(
      module.models.map(({ model }) => model),
      [`${moduleId()}:fast`],
    );
    writeManifest('true', 'private');
    await workbench.run('fleetwright.module.update');
    await workbench.quickInput.pick(uiText('keepVisibility', uiText('public')));
    await workbench.messages.waitForMessage(uiText('nothingToUpdate'));
    const again = await client.appClient.getModule(moduleId());
    assert.equal(again?.visibility, appApi.Visibility.PUBLIC);
  });
});
