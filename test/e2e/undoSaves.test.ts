import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectPublicClient } from '../publicClient/publicClient';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const machine = 'bench-dosing';
const part = 'bench-dosing-main';
const undo = 'ControlOrMeta+z';
const WRITE_BEGINS_MS = 3_000;
const redo = 'ControlOrMeta+Shift+z';

describe('saving after Undo and Redo', () => {
  let journey: JourneyHost;
  let client: PublicClient;

  before(async () => {
    // Every save of a fragment that parts use would prompt.
    const settings = { 'fleetwright.documents.savePreview': 'never' };
    journey = await startJourney({ settings });
    client = await connectPublicClient(journey.service.credentials);
    const { fleet } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand(organization, 'Application Lab', machine);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  async function findMachineId(): Promise<string> {
    const { appClient } = client;
    for (const { id } of await appClient.listOrganizations()) {
      for (const location of await appClient.listLocations(id)) {
        const robots = await appClient.listRobots(location.id);
        const found = robots.find(({ name }) => name === machine);
        if (found) return found.id;
      }
    }
    return assert.fail(`There is no ${machine}.`);
  }

  async function readPart(): Promise<string> {
    const parts = await client.appClient.getRobotParts(await findMachineId());
    const { id } = parts.find(({ name }) => name === part) ?? assert.fail();
    return (await client.appClient.getRobotPart(id)).configJson;
  }

  async function readFragment(): Promise<string> {
    const organizations = await client.appClient.listOrganizations();
    const { id } = organizations.find(({ name }) => name === organization) ?? assert.fail();
    // Wire numbers of visibilities: private, public, and public unlisted.
    const fragments = await client.appClient.listFragments(id, true, [1, 2, 3]);
    const { fragment } = fragments.find(({ name }) => name === 'conveyor') ?? assert.fail();
    return JSON.stringify(fragment?.toJson());
  }

  async function readMetadata(): Promise<string> {
    return JSON.stringify(await client.appClient.getRobotMetadata(await findMachineId()));
  }

  /** Presses a key that makes the document dirty, saves, and returns the service's content. */
  async function pressAndSave(key: string, read: () => Promise<string>): Promise<string> {
    const { editors } = journey.vsCode.workbench;
    await editors.focus();
    await journey.vsCode.page.keyboard.press(key);
    await editors.dirtyTab.waitFor();
    await editors.saved();
    return read();
  }

  /** Replaces `from` with three numbers, one after the other, and saves each. */
  async function saveThree(from: string, name: string): Promise<void> {
    const { editors } = journey.vsCode.workbench;
    let before = from;
    for (const number of [11, 12, 13]) {
      const after = `"${name}": ${number}`;
      await editors.replaceAll(before, after);
      await editors.dirtyTab.waitFor();
      await editors.saved();
      before = after;
    }
  }

  async function expectEveryStep(name: string, read: () => Promise<string>): Promise<void> {
    const holds = (number: number) => new RegExp(`"${name}":\\s*${number}\\b`);
    assert.match(await read(), holds(13));
    assert.match(await pressAndSave(undo, read), holds(12));
    assert.match(await pressAndSave(undo, read), holds(11));
    assert.match(await pressAndSave(redo, read), holds(12));
    assert.match(await pressAndSave(redo, read), holds(13));
  }

  it('stores every step of a config', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await saveThree('"max_rpm": 180', 'max_rpm');
    await expectEveryStep('max_rpm', readPart);
  });

  it('stores what several undos restore together', async () => {
    const { editors } = journey.vsCode.workbench;
    await editors.focus();
    for (let time = 0; time < 3; time += 1) await journey.vsCode.page.keyboard.press(undo);
    await editors.text('"max_rpm": 180').waitFor();
    await editors.dirtyTab.waitFor();
    await editors.saved();
    assert.match(await readPart(), /"max_rpm":\s*180\b/);
  });

  it('preserves Undo during a save', async () => {
    const { editors } = journey.vsCode.workbench;
    const { keyboard } = journey.vsCode.page;
    await editors.replaceAll('"max_rpm": 180', '"max_rpm": 15');
    await editors.dirtyTab.waitFor();
    process.kill(journey.service.pid, 'SIGSTOP');
    try {
      await editors.focus();
      await keyboard.press('ControlOrMeta+s');
      // VS Code doesn't indicate when it starts to write, so wait.
      await sleep(WRITE_BEGINS_MS);
      await keyboard.press(undo);
      await editors.text('"max_rpm": 180').waitFor();
    } finally {
      process.kill(journey.service.pid, 'SIGCONT');
    }
    await until('the first text is stored', async () => /"max_rpm":\s*15\b/.test(await readPart()));
    await editors.dirtyTab.waitFor();
    await editors.text('"max_rpm": 180').waitFor();
    await editors.saved();
    assert.match(await readPart(), /"max_rpm":\s*180\b/);
  });

  it('saves when a frozen service responds again, and reports both', async () => {
    const { workbench, page } = journey.vsCode;
    const { editors } = workbench;
    await editors.replaceAll('"max_rpm": 180', '"max_rpm": 16');
    await editors.dirtyTab.waitFor();
    process.kill(journey.service.pid, 'SIGSTOP');
    try {
      await editors.focus();
      await page.keyboard.press('ControlOrMeta+s');
      await workbench.statusBarItem(uiText('notResponding')).waitFor();
    } finally {
      process.kill(journey.service.pid, 'SIGCONT');
    }
    await workbench.statusBarItem(uiText('respondsAgain')).waitFor();
    await editors.cleanTab.waitFor();
    assert.match(await readPart(), /"max_rpm":\s*16\b/);
  });

  it('stores every step of a fragment', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.expand(uiText('fragments'));
    await fleet.click('conveyor');
    await editors.activeTab('conveyor.json').waitFor();
    await saveThree('"debounce_ms": 15', 'debounce_ms');
    await expectEveryStep('debounce_ms', readFragment);
  });

  it('stores every step of metadata', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.menu(machine, 'fleetwright.machine.openMetadata');
    await editors.tabStartingWith(machine).waitFor();
    await editors.focus();
    await journey.vsCode.page.keyboard.press('ControlOrMeta+a');
    // VS Code inserts the closing brace.
    await editors.type('{ "shift": 10');
    await editors.dirtyTab.waitFor();
    await editors.saved();
    await saveThree('"shift": 10', 'shift');
    await expectEveryStep('shift', readMetadata);
  });

  // This test must be last, because the tests above save explicitly, and Auto Save stays on.
  it('stores an undone save with auto save', async () => {
    const { editors } = journey.vsCode.workbench;
    await journey.vsCode.workbench.fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await journey.vsCode.workbench.runBuiltIn('File: Toggle Auto Save');
    await editors.replaceAll('"max_rpm": 16', '"max_rpm": 14');
    await until('the edit is saved', async () => /"max_rpm":\s*14\b/.test(await readPart()));
    await editors.cleanTab.waitFor();
    await editors.focus();
    await journey.vsCode.page.keyboard.press(undo);
    await editors.text('"max_rpm": 16').waitFor();
    await until('the undo is saved', async () => /"max_rpm":\s*16\b/.test(await readPart()));
  });
});
