import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPublicClient } from '../publicClient/publicClient';
import { storedKeys } from './support/browserStores';
import { CountingMachine } from './support/countingMachine';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { RestartableService } from './support/restartableService';
import { LogPanel } from './support/logPanel';
import { uiText } from './support/texts';

const line = 'Line 3';
const names = ['infeed-conveyor-3', 'label-inspection-3', 'stretch-wrapper-3'] as const;
const tab = `Logs: ${names[0]} and 2 more`;

/** The fields of an exported line that this journey uses. */
interface ExportedLine {
  readonly machine: string;
  readonly message: string;
  readonly fields: { readonly number: number };
}

describe('watching live logs', () => {
  let journey: JourneyHost<RestartableService>;
  let machines: ReadonlyMap<string, CountingMachine>;
  let panel: LogPanel;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-logs-'));
    const service = await RestartableService.start();
    journey = await startJourneyWith(service, folder);
    machines = await countingMachines();
    panel = new LogPanel(journey.vsCode.page);
    const { fleet } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand('Gothenburg Plant', 'Palletizing Hall', line);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    const stopped = [...machines.values()].map((machine) => machine.stop());
    await Promise.allSettled(stopped);
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function countingMachines(): Promise<ReadonlyMap<string, CountingMachine>> {
    const { credentials, url } = journey.service.process;
    const { appClient } = await connectPublicClient(credentials);
    const [organization] = await appClient.listOrganizations();
    assert.ok(organization);
    const locations = await appClient.listLocations(organization.id);
    const location = locations.find(({ name }) => name === line);
    assert.ok(location);
    const found = new Map<string, CountingMachine>();
    for (const { id: robotId, name } of await appClient.listRobots(location.id)) {
      const [part] = await appClient.getRobotParts(robotId);
      const { id = '', secrets = [] } = part ?? {};
      const secret = secrets[0]?.secret ?? '';
      if (names.some((one) => one === name)) {
        found.set(name, new CountingMachine(url, { id, secret }));
      }
    }
    assert.equal(found.size, names.length);
    return found;
  }

  async function eachIs(state: string): Promise<void> {
    for (const name of names) await panel.part(name, state).waitFor();
  }

  async function filter(text: string): Promise<void> {
    await panel.filterBox.fill(text);
  }

  it('shows the lines of the selected machines with their names', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    for (const machine of machines.values()) machine.start();
    await fleet.select(...names);
    await fleet.menu(names[0], 'fleetwright.machine.showLogs');
    await editors.activeTab(tab).waitFor();
    await eachIs(uiText('liveState'));
    for (const name of names) await panel.line('count', name).first().waitFor();
  });

  it('filters lines by a text, and marks an invalid regular expression', async () => {
    await filter('fault');
    await panel.line('fault').first().waitFor();
    await panel.line('count').first().waitFor({ state: 'detached' });
    await filter('(fault');
    await panel.button(uiText('useRegularExpression')).click();
    await panel.filterProblem.filter({ hasText: 'Unterminated group' }).waitFor();
    await filter(String.raw`^count \d*1$`);
    await panel
      .line(/count \d*1$/)
      .first()
      .waitFor();
    await panel.line('fault').first().waitFor({ state: 'detached' });
    await filter('');
    await panel.line('fault').first().waitFor();
  });

  it('stops scrolling while it is paused, and counts new lines', async () => {
    await panel.button(uiText('pause')).click();
    await panel.button(uiText('resume')).click();
    await panel.button(uiText('pause')).waitFor();
  });

  it('reconnects after the service was killed, and marks the filled gap', async () => {
    const { service } = journey;
    await service.kill();
    await eachIs(uiText('retrying'));
    await service.startAgain();
    await eachIs(uiText('liveState'));
    const filled = [uiText('oneLineLoaded'), uiText('linesLoaded'), uiText('noLinesLogged')];
    await filter('^no line says this$');
    await panel
      .gap(uiText('connectionLostFor'))
      .filter({ hasText: new RegExp(filled.join('|')) })
      .first()
      .waitFor();
    await filter('');
  });

  it('exports every line once', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    await Promise.all([...machines.values()].map((machine) => machine.stop()));
    const lasts = [...machines].map(([name, { logged }]) => ({ name, logged }));
    await filter(`(${lasts.map(({ logged }) => String(logged)).join('|')})$`);
    for (const { name, logged } of lasts) {
      await panel
        .line(new RegExp(`${logged}$`), name)
        .first()
        .waitFor();
    }
    await filter('');
    await panel.menu(uiText('export'));
    await quickInput.pick('NDJSON');
    const name = `logs-${names[0]}-and-2-more.ndjson`;
    await quickInput.title(uiText('exportLines')).waitFor();
    await quickInput.accept();
    await messages.waitForMessage(uiText('exportedLines', undefined, name));

    const lines = readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as ExportedLine);
    for (const { name, logged } of lasts) {
      const numbers = lines
        .filter(({ machine }) => machine === name)
        .map(({ fields }) => fields.number);
      assert.deepEqual(
        numbers,
        Array.from({ length: logged }, (_, index) => index + 1),
        name,
      );
    }
  });

  it('shows only errors while the other levels are off', async () => {
    const levels = [uiText('debug'), uiText('info'), uiText('warning'), uiText('otherLevel')];
    for (const level of levels) await panel.toggleLevel(level);
    await panel.line('count').first().waitFor({ state: 'detached' });
    await panel.line('fault').first().waitFor();
  });

  it('restores its parts and its filter after a window reload', async () => {
    const { vsCode } = journey;
    await vsCode.writes(storedKeys.tabs, (text) => /levels\W+error\W*\]/.test(text));
    await vsCode.reload();
    await vsCode.workbench.editors.activeTab(tab).waitFor();
    await eachIs(uiText('liveState'));
    await panel.line('fault').first().waitFor();
    assert.equal(await panel.line('count').count(), 0);
  });
});
