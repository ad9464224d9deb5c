import type { Locator } from 'playwright-core';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { type Simulator, startSimulator } from './support/simulator';

const machine = 'amr-01';
const part = 'amr-01-main';
const restartLimitMs = 60_000;

describe('a fleet whose machines live', () => {
  let journey: JourneyHost;
  let simulator: Simulator;

  before(async () => {
    journey = await startJourney();
    simulator = startSimulator(journey.service, 1);
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
    }
  });

  /** Returns a row of the tree whose accessible name contains this text. */
  function rowWith(text: string): Locator {
    const label = JSON.stringify(text);
    return journey.vsCode.page
      .locator(`.part.sidebar .monaco-list-row[aria-label*=${label}]`)
      .first();
  }

  it('gathers its machines by status, in words, and keeps that over a reload', async () => {
    const { fleet } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('Fleetwright: Group Machines By');
    await journey.vsCode.workbench.quickInput.pick('Status');
    for (const group of ['Offline', 'Awaiting setup', 'Online']) {
      await rowWith(`${group}, `).waitFor();
    }
    await fleet.expand('Offline');
    await rowWith(', offline · last seen ').waitFor();
    await fleet.collapse('Offline');
    await fleet.expand('Online');
    await rowWith(`${machine}, online, `).waitFor();
    await journey.vsCode.reload();
    await rowWith('Awaiting setup, ').waitFor();
  });

  it('leaves what a filter matches, says so, and shows all again', async () => {
    const { workbench, page } = journey.vsCode;
    await workbench.run('Fleetwright: Filter Fleet View');
    await workbench.quickInput.title('Filter Fleet View').waitFor();
    await workbench.quickInput.type('line 1');
    await workbench.quickInput.title('4 of ').waitFor();
    await workbench.quickInput.accept();
    await rowWith('palletizer-1, ').waitFor();
    await page.locator('.part.sidebar', { hasText: 'Filter: "line 1". 4 of ' }).waitFor();
    await rowWith(`${machine}, `).waitFor({ state: 'detached' });
    await workbench.run('Fleetwright: Clear Fleet Filter');
    await rowWith('API Keys').waitFor();
  });

  it('follows a restart until the machine is back online', async () => {
    const { fleet, messages, quickInput } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('Fleetwright: Group Machines By');
    await quickInput.pick('Location');
    await fleet.expand('Gothenburg Plant', 'Finished Goods Warehouse', machine);
    await fleet.menu(part, 'Restart Part');
    await messages.pressDialogButton('Restart');
    // The extension polls every five seconds, the part takes two seconds to start, and the service
    // records a contact up to ten seconds later.
    await messages.waitForMessage(`"${part}" has restarted and is back online.`, restartLimitMs);
  });
});
