import type { Locator } from 'playwright-core';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { type Simulator, startSimulator } from './support/simulator';
import { uiText } from './support/texts';

const machine = 'amr-01';
const part = 'amr-01-main';
const restartLimitMs = 60_000;

describe('a fleet with live machines', () => {
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

  it('groups its machines by status as text, and preserves that after a reload', async () => {
    const { fleet } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('fleetwright.fleet.groupMachines');
    await journey.vsCode.workbench.quickInput.pick(uiText('status'));
    for (const group of [uiText('offline'), uiText('awaitingSetup'), uiText('online')]) {
      await rowWith(`${group}, `).waitFor();
    }
    await fleet.expand(uiText('offline'));
    await rowWith(`, ${uiText('offlineSince')}`).waitFor();
    await fleet.collapse(uiText('offline'));
    await fleet.expand(uiText('online'));
    await rowWith(`${machine}, online, `).waitFor();
    await journey.vsCode.reload();
    await rowWith(`${uiText('awaitingSetup')}, `).waitFor();
  });

  it('filters machines, shows a message, and clears the filter', async () => {
    const { workbench, page } = journey.vsCode;
    await workbench.run('fleetwright.fleet.filter');
    await workbench.quickInput.title(uiText('filterFleetView')).waitFor();
    await workbench.quickInput.type('line 1');
    await workbench.quickInput.title(uiText('matchCount', 4)).waitFor();
    await workbench.quickInput.accept();
    await rowWith('palletizer-1, ').waitFor();
    await page
      .locator('.part.sidebar', {
        hasText: `${uiText('filterState', '"line 1"')} ${uiText('machinesMatch', 4)}`,
      })
      .waitFor();
    await rowWith(`${machine}, `).waitFor({ state: 'detached' });
    await workbench.run('fleetwright.fleet.clearFilter');
    await rowWith(uiText('apiKeys')).waitFor();
  });

  it('follows a restart until the machine is online again', async () => {
    const { fleet, messages, quickInput } = journey.vsCode.workbench;
    await journey.vsCode.workbench.run('fleetwright.fleet.groupMachines');
    await quickInput.pick(uiText('location'));
    await fleet.expand('Gothenburg Plant', 'Finished Goods Warehouse', machine);
    await fleet.menu(part, 'fleetwright.part.markForRestart');
    await messages.pressDialogButton(uiText('restart'));
    // The extension polls every five seconds, the part takes two seconds to start, and the service
    // records a contact up to ten seconds later.
    await messages.waitForMessage(uiText('backOnline', part), restartLimitMs);
  });
});
