import type { Locator } from 'playwright-core';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { type Simulator, startSimulator } from './support/simulator';

const path = ['Norrvik Automation', 'Gothenburg Plant', 'Finished Goods Warehouse'] as const;
const machine = 'amr-01';
const part = 'amr-01-main';
/** Machines fetch their config every ten seconds, and the status bar is updated every five. */
const progressLimitMs = 60_000;

describe('the progress of a saved config', () => {
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

  function status(text: string): Locator {
    return journey.vsCode.page.locator('.part.statusbar').getByText(text);
  }

  function partRow(progress: string): Locator {
    return journey.vsCode.page.locator(
      `.part.sidebar .monaco-list-row[aria-label*="${part}"][aria-label*="${progress}"]`,
    );
  }

  it('is "applied" for a machine that runs its config', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.expand(...path, machine);
    await fleet.click(part);
    await editors.activeTab(`${part}.json`).waitFor();
    await status('Config applied').waitFor({ timeout: progressLimitMs });
  });

  it('is "saved" until the machine fetches the config', async () => {
    const { editors } = journey.vsCode.workbench;
    await simulator.stop();
    await editors.replaceAll('"lidar-range-m": 20', '"lidar-range-m": 25');
    await editors.dirtyTab.waitFor();
    await editors.saved();
    await status('Saved. amr-01 runs the previous config').waitFor();
    await status('Config saved').waitFor();
    await partRow('previous config').waitFor();
  });

  it('is "applied" when the machine reports that it runs the config', async () => {
    simulator = startSimulator(journey.service, 1);
    await status('Config applied').waitFor({ timeout: progressLimitMs });
    await partRow('previous config').waitFor({ state: 'detached' });
  });
});
