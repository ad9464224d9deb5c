import type { Locator } from 'playwright-core';
import { startJourney, type JourneyHost } from './support/journeyHost';
import { type Simulator, startSimulator } from './support/simulator';
import { uiText } from './support/texts';

const organization = 'Norrvik Automation';
/** The machine uses this fragment through another one. */
const fragment = 'edge-computer';
const machine = 'amr-01';
/** Machines fetch their config every ten seconds, and the view is updated every five. */
const progressLimitMs = 60_000;

describe('the rollout of a fragment', () => {
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

  /** Returns rows of the Rollout view by the start of their accessible name. */
  function row(name: string): Locator {
    const view = journey.vsCode.page.locator('.part.sidebar .pane').nth(1);
    return view.locator(`.monaco-list-row[aria-label^=${JSON.stringify(name)}]`);
  }

  function status(text: string): Locator {
    return journey.vsCode.page.locator('.part.statusbar').getByText(text);
  }

  it('is in the status bar while the config of the fragment is open', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.expand(organization, uiText('fragments'));
    await fleet.click(fragment);
    await editors.activeTab(`${fragment}.json`).waitFor();
    await status(uiText('rolloutCount', 1)).waitFor({ timeout: progressLimitMs });
  });

  it('shows that a machine has yet to fetch a saved revision', async () => {
    const { vsCode } = journey;
    const { editors, messages } = vsCode.workbench;
    await simulator.stop();
    await editors.replaceAll('"production"', '"pilot"');
    await editors.dirtyTab.waitFor();
    await editors.save();
    await messages.pressDialogButton(uiText('save'));
    await editors.cleanTab.waitFor();
    await status(uiText('rolloutCount', 0)).click();
    await row(uiText('rolloutPending')).waitFor();
    await row(`${machine}, ${uiText('notFetchedYet')}`).waitFor();
    await row(uiText('rolloutApplied')).waitFor({ state: 'detached' });
  });

  it('follows the machine until it runs the revision', async () => {
    simulator = startSimulator(journey.service, 1);
    await row(uiText('rolloutApplied')).waitFor({ timeout: progressLimitMs });
    await row(`${machine}, ${uiText('notFetchedYet')}`).waitFor({ state: 'detached' });
    await row(uiText('rolloutPending')).waitFor({ state: 'detached' });
    await status(uiText('rolloutCount', 1)).waitFor({ timeout: progressLimitMs });
  });

  it('links to the machine in the fleet', async () => {
    await row(machine).click();
    await journey.vsCode.workbench.fleet.selectedRow(`${machine}-main`).waitFor();
  });
});
