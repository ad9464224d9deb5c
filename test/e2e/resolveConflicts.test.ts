import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { connectPublicClient, Struct } from '../publicClient/publicClient';
import { storedKeys } from './support/browserStores';
import { filesBelow } from './support/filesBelow';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const path = ['Norrvik Automation', 'Application Lab'] as const;
const machine = 'bench-dosing';
const part = 'bench-dosing-main';
const fileName = `${part}.json`;

interface Pump {
  ml_per_rev: number;
  max_rpm: number;
}

interface PartConfig {
  components: { name: string; attributes: Partial<Pump> }[];
}

describe('resolving conflicts and restoring revisions', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let partId: string;

  before(async () => {
    journey = await startJourney();
    client = await connectPublicClient(journey.service.credentials);
    const { appClient } = client;
    for (const { id } of await appClient.listOrganizations()) {
      for (const location of await appClient.listLocations(id)) {
        const robot = (await appClient.listRobots(location.id)).find(
          ({ name }) => name === machine,
        );
        const [found] = robot ? await appClient.getRobotParts(robot.id) : [];
        partId = found?.id ?? partId;
      }
    }
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(...path, machine);
    await fleet.click(part);
    await editors.activeTab(fileName).waitFor();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  async function readConfig(): Promise<PartConfig> {
    const { configJson } = await client.appClient.getRobotPart(partId);
    return JSON.parse(configJson) as PartConfig;
  }

  async function pump(): Promise<Partial<Pump>> {
    const { components } = await readConfig();
    return components.find(({ name }) => name === 'pump')?.attributes ?? {};
  }

  /** Changes the document as another user, through a client that doesn't support versions. */
  async function changeElsewhere(change: Partial<Pump>): Promise<void> {
    const config = await readConfig();
    const changed = config.components.find(({ name }) => name === 'pump');
    assert.ok(changed);
    Object.assign(changed.attributes, change);
    await client.appClient.updateRobotPart(
      partId,
      part,
      Struct.fromJsonString(JSON.stringify(config)),
    );
  }

  /**
   * Edits the document, lets another user save first, saves, and selects a recovery action for the
   * conflict.
   */
  async function conflict(
    [from, to]: readonly [string, string],
    change: Partial<Pump>,
    action: string,
  ): Promise<void> {
    const { editors, messages } = journey.vsCode.workbench;
    await editors.replaceAll(from, to);
    await editors.dirtyTab.waitFor();
    await changeElsewhere(change);
    await editors.save();
    await messages.pressLink(uiText('changedByOwnKey'), action);
  }

  it('merges separate changes, and saves them after a review', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await conflict(['"max_rpm": 180', '"max_rpm": 200'], { ml_per_rev: 0.5 }, uiText('merge'));
    await editors.cleanTab.filter({ hasText: uiText('mergedDiff') }).waitFor();
    assert.equal((await pump()).max_rpm, 180);
    await messages.pressButton(uiText('acceptAndSave'));
    await editors.activeCleanTab(fileName).waitFor();
    await messages.waitUntilDismissed(uiText('changedByOwnKey'));
    assert.deepEqual(await readPump(), { max_rpm: 200, ml_per_rev: 0.5 });
  });

  it('prompts for overlapping changes', async () => {
    const { editors, messages, quickInput } = journey.vsCode.workbench;
    await conflict(
      ['"max_rpm": 200', '"max_rpm": 300'],
      { max_rpm: 250, ml_per_rev: 0.6 },
      uiText('merge'),
    );
    await quickInput.pick(uiText('keepMine'));
    await messages.pressButton(uiText('acceptAndSave'));
    await editors.activeCleanTab(fileName).waitFor();
    assert.deepEqual(await readPump(), { max_rpm: 300, ml_per_rev: 0.6 });
  });

  it('overwrites after naming the machine and its organization', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await conflict(['"max_rpm": 300', '"max_rpm": 400'], { ml_per_rev: 0.7 }, uiText('overwrite'));
    await messages.dialog
      .getByText(uiText('theConfig', part, machine, 'Norrvik Automation'))
      .waitFor();
    await messages.pressDialogButton(uiText('overwrite'));
    await editors.cleanTab.waitFor();
    assert.deepEqual(await readPump(), { max_rpm: 400, ml_per_rev: 0.6 });
  });

  it('reloads after a confirmation, and undo restores the edits', async () => {
    const { editors, messages } = journey.vsCode.workbench;
    await conflict(['"max_rpm": 400', '"max_rpm": 500'], { max_rpm: 450 }, uiText('reload'));
    await messages.pressDialogButton(uiText('discardAndReload'));
    await editors.cleanTab.waitFor();
    await editors.text('"max_rpm": 450').waitFor();
    await editors.focus();
    await journey.vsCode.page.keyboard.press('ControlOrMeta+z');
    await editors.dirtyTab.waitFor();
    await editors.text('"max_rpm": 500').waitFor();
    await editors.saved();
    assert.equal((await pump()).max_rpm, 500);
  });

  it('remembers the base of unsaved edits after a window reload', async () => {
    const { vsCode } = journey;
    const { editors, messages } = vsCode.workbench;
    await editors.replaceAll('"max_rpm": 500', '"max_rpm": 600');
    await editors.dirtyTab.waitFor();
    await vsCode.writes(storedKeys.tabs, (text) => text.includes(fileName));
    await vsCode.writes(storedKeys.extension, (text) => unquoted(text).includes('"max_rpm": 500'));
    await until('the unsaved edits are written', () =>
      filesBelow(join(vsCode.dataFolder, 'user', 'User', 'Backups')).some((file) =>
        readFileSync(file, 'utf8').includes('"max_rpm": 600'),
      ),
    );
    await vsCode.reload();
    await editors.activeTab(fileName).and(editors.dirtyTab).waitFor();
    await changeElsewhere({ ml_per_rev: 0.8 });
    await editors.focus();
    await editors.save();
    await messages.pressLink(uiText('changedByOwnKey'), uiText('merge'));
    await messages.pressButton(uiText('acceptAndSave'));
    await editors.activeCleanTab(fileName).waitFor();
    assert.deepEqual(await readPump(), { max_rpm: 600, ml_per_rev: 0.8 });
  });

  it('shows the history and restores a revision through the same save', async () => {
    const { vsCode } = journey;
    const { editors, messages } = vsCode.workbench;
    await vsCode.workbench.run('fleetwright.document.showHistory');
    const rows = panel().locator('tbody tr');
    await rows.first().waitFor();
    assert.match(await rows.first().innerText(), /current[^]*pump › max_rpm: 500 → 600/);
    const beginning = rows.filter({ hasText: 'pump › ml_per_rev: 0.398 → 0.5' });
    await beginning.getByRole('button', { name: uiText('restore') }).click();
    await messages.dialog
      .getByText(uiText('theConfig', part, machine, 'Norrvik Automation'))
      .waitFor();
    await messages.pressDialogButton(uiText('restore'));
    await editors.activeCleanTab(fileName).waitFor();
    await until('the version is restored', async () => (await pump()).max_rpm === 180);
    assert.deepEqual(await readPump(), { max_rpm: 180, ml_per_rev: 0.5 });
  });

  async function readPump(): Promise<Pump> {
    const { max_rpm = 0, ml_per_rev = 0 } = await pump();
    return { max_rpm, ml_per_rev };
  }

  function panel(): FrameLocator {
    return journey.vsCode.page
      .frameLocator('iframe.webview:not([src*="purpose=webviewView"])')
      .frameLocator('#active-frame');
  }
});

/** Removes backslashes, so that JSON that might be escaped inside a JSON string can be searched. */
function unquoted(text: string): string {
  return text.replaceAll('\\', '');
}
