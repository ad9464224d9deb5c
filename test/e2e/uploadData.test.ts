import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { connectPublicClient, dataApi } from '../publicClient/publicClient';
import { appears, succeeds } from './support/appears';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';
import { type CommandId, getCommandTitle, uiText } from './support/texts';

const part = 'amr-04-main';
const menuPatienceMs = 3_000;
const csv = [
  'time,celsius,arm.ok,note',
  '2026-01-02T00:00:00Z,21.5,true,',
  '2026-01-02T00:00:01Z,22,false,<b>n/a</b>',
  'yesterday,1,true,x',
];

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

describe('uploading files and readings', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let workspace: string;

  before(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'fleetwright-upload-'));
    mkdirSync(join(workspace, 'shots', 'night'), { recursive: true });
    for (const [index, name] of ['a.jpg', 'b.tar.gz', 'night/c.png'].entries()) {
      writeFileSync(join(workspace, 'shots', name), Buffer.alloc(100_000, index + 1));
    }
    writeFileSync(join(workspace, 'shots', '.hidden'), 'x');
    writeFileSync(join(workspace, 'probe.csv'), csv.join('\n'));
    const service = await startDemoService();
    journey = await startJourneyWith(service, workspace);
    client = await connectPublicClient(service.credentials);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  /** Runs a command of the explorer's context menu on a file or folder. */
  async function choose(name: string, command: CommandId): Promise<void> {
    const { page } = journey.vsCode;
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
    const entry = page.locator('.context-view .action-item', { hasText: getCommandTitle(command) });
    await until(`the menu of ${name} is open`, async () => {
      if (!(await row.isVisible())) await page.keyboard.press('Control+Shift+E');
      // While a menu is open, no other element can be clicked.
      const isClicked = await succeeds(row.click({ button: 'right', timeout: menuPatienceMs }));
      if (isClicked && (await appears(entry, menuPatienceMs))) return true;
      await page.keyboard.press('Escape');
      return false;
    });
    // A menu ignores the first clicks, so that the click that opened it doesn't accidentally select
    // an entry.
    await until(`the menu of ${name} has taken "${command}"`, async () => {
      const timeout = menuPatienceMs;
      await succeeds(entry.click({ timeout }));
      return succeeds(entry.waitFor({ state: 'hidden', timeout }));
    });
  }

  it('uploads a folder from the explorer, which another client can read', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    await choose('shots', 'fleetwright.data.uploadFiles');
    await quickInput.pick(part);
    await quickInput.row(uiText('uploadFiles', 3, '300 kB')).waitFor();
    await quickInput.use(uiText('tags'));
    await quickInput.title(uiText('tags')).waitFor();
    await quickInput.enterText('night');
    await quickInput.row(uiText('tagList', 'night')).waitFor();
    await quickInput.pick(uiText('uploadFiles', 3, '300 kB'));
    await messages.waitForMessage(`${uiText('doneCount', 3)}, ${uiText('skippedCount', 1)}`);

    const tagsFilter = new dataApi.TagsFilter({
      type: dataApi.TagsFilterType.MATCH_BY_OR,
      tags: ['night'],
    });
    const filter = new dataApi.Filter({ partName: part, tagsFilter });
    const items = await client.dataClient.binaryDataByFilter(filter);
    const names = items.data.map(({ metadata }) => [metadata?.fileName, metadata?.fileExt]);
    assert.deepEqual(names.sort(), [
      ['a', '.jpg'],
      ['b.tar', '.gz'],
      ['c', '.png'],
    ]);
    const archive = items.data.find(({ metadata }) => metadata?.fileName === 'b.tar');
    assert.deepEqual(Buffer.from(archive?.binary ?? []), Buffer.alloc(100_000, 2));
  });

  it('offers to skip files that the part already has', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    writeFileSync(join(workspace, 'shots', 'new.jpg'), Buffer.alloc(1_000, 9));
    await choose('shots', 'fleetwright.data.uploadFiles');
    await quickInput.pick(uiText('uploadFiles', 4, '301 kB'));
    await messages.dialog.getByText(uiText('partHasFiles', 3, 4)).waitFor();
    await messages.pressDialogButton(uiText('skipDuplicates'));
    await messages.waitForMessage(`${uiText('doneCount', 1)}, ${uiText('skippedCount', 4)}`);
  });

  it('previews a table before it stores its readings', async () => {
    const { quickInput, messages, editors } = journey.vsCode.workbench;
    await choose('probe.csv', 'fleetwright.data.uploadReadings');
    await quickInput
      .row(uiText('uploadTo', uiText('readingCount', 2), `amr-04 › ${part}`))
      .waitFor();
    await editors.tabStartingWith(uiText('previewOfReadings')).waitFor();
    await quickInput.pick(uiText('uploadTo', uiText('readingCount', 2)));
    await messages.waitForMessage(`${uiText('doneCount', 2)}, ${uiText('skippedCount', 1)}`);

    const readings = await client.dataClient.exportTabularData(
      (await partId()) ?? '',
      'probe',
      'rdk:component:sensor',
      'Readings',
    );
    assert.deepEqual(
      readings.map(({ payload }) => payload),
      [
        { readings: { celsius: 21.5, arm: { ok: true } } },
        { readings: { celsius: 22, arm: { ok: false }, note: '<b>n/a</b>' } },
      ],
    );
  });

  async function partId(): Promise<string | undefined> {
    const { appClient } = client;
    for (const organization of await appClient.listOrganizations()) {
      for (const location of await appClient.listLocations(organization.id)) {
        for (const robot of await appClient.listRobots(location.id)) {
          if (robot.name !== 'amr-04') continue;
          return (await appClient.getRobotParts(robot.id)).find(({ name }) => name === part)?.id;
        }
      }
    }
    return undefined;
  }
});
