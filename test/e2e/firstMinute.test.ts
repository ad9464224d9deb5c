import assert from 'node:assert/strict';
import { startDemoService } from '../../scripts/support/demoFleet';
import type { ServiceProcess } from '../../scripts/support/serviceProcess';
import { type JourneyHost, startJourney } from './support/journeyHost';
import { storedKeys } from './support/browserStores';
import { QueryPanel } from './support/queryPanel';
import { until } from './support/until';
import { startVsCode, type VsCode } from './support/vsCode';
import { Walkthrough } from './support/walkthrough';
import { uiText } from './support/texts';

/** Enables the walkthrough, which other journeys turn off. */
const settings = { 'workbench.welcomePage.walkthroughs.openOnInstall': true };
/** Time for which the extension waits for a service that is filling in the demo fleet. */
const FIRST_START_LIMIT_MS = 120_000;
const STEPS = ['start', 'edit', 'logs', 'data', 'query'];
/** VS Code's name for the preview of the instructions. */
const connectTab = `Preview ${uiText('connectMachine', 'bench-arm-77')}`;

/** Returns the row of a machine that is selected and expanded. */
function expandedMachine({ page }: VsCode) {
  return page.locator(
    '.part.sidebar .monaco-list-row[aria-selected="true"][aria-expanded="true"][aria-label*=", "]',
  );
}

describe('the first minute after npm start', () => {
  let journey: JourneyHost;
  let walkthrough: Walkthrough;

  before(async () => {
    journey = await startJourney({ settings });
    walkthrough = new Walkthrough(journey.vsCode.page);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(() => journey.close());

  it('shows the connection, a machine, and the walkthrough without a click', async () => {
    const { vsCode } = journey;
    await vsCode.workbench.statusBarItem('Norrvik Automation').waitFor();
    await expandedMachine(vsCode).waitFor();
    await walkthrough.tab.waitFor();
    await walkthrough.completed('start').waitFor();
    await vsCode.screenshot('first-minute-1440');
  });

  it('has an image for each step', async () => {
    for (const step of STEPS) {
      await walkthrough.expand(step);
      await until(`the image of "${step}" is loaded`, () =>
        walkthrough.image.first().evaluate((image, name) => {
          const { complete, naturalWidth, currentSrc } = image as HTMLImageElement;
          return complete && naturalWidth > 0 && currentSrc.includes(name);
        }, `${step}.webp`),
      );
    }
  });

  it('completes a step when a config is saved', async () => {
    const { editors, quickInput } = journey.vsCode.workbench;
    await walkthrough.expand('edit');
    await walkthrough.button.click();
    await quickInput.pick('palletizer-1-main', 'line palletizer-1-main');
    await editors.activeTab('palletizer-1-main.json').waitFor();
    await editors.replaceAll('6500', '6600');
    await editors.saved();
    await walkthrough.show();
    await walkthrough.completed('edit').waitFor();
  });

  it('completes a step when a live log opens', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.menu('bench-gantry-main', 'fleetwright.part.showLogs');
    await editors.tabStartingWith(uiText('logsTab')).waitFor();
    await walkthrough.show();
    await walkthrough.completed('logs').waitFor();
  });

  it('completes a step when the data browser opens', async () => {
    const { editors, quickInput } = journey.vsCode.workbench;
    await walkthrough.expand('data');
    await walkthrough.button.click();
    await quickInput.pick(uiText('aMachine'));
    await quickInput.pick('bench-gantry');
    await editors.tabStartingWith(uiText('dataTab')).waitFor();
    await walkthrough.show();
    await walkthrough.completed('data').waitFor();
  });

  it('completes a step when a query has run', async () => {
    const { editors, quickInput } = journey.vsCode.workbench;
    await walkthrough.expand('query');
    await walkthrough.button.click();
    await quickInput.pick('Norrvik Automation');
    await editors.tabStartingWith(uiText('queryTab')).waitFor();
    const panel = new QueryPanel(journey.vsCode.page);
    await panel.replaceAll('SELECT 1');
    await panel.press('ControlOrMeta+Enter');
    await panel.status(uiText('onlyRow')).waitFor();
    await walkthrough.show();
    await walkthrough.completed('query').waitFor();
  });

  it('is not shown again after a reload', async () => {
    const { vsCode } = journey;
    await walkthrough.close();
    await vsCode.writes(storedKeys.tabs, (text) => !/gettingStarted/i.test(text));
    await vsCode.writes(storedKeys.extension, (text) => text.includes('walkthroughShown'));
    await vsCode.reload();
    await vsCode.workbench.fleet.row('Norrvik Automation').waitFor();
    await vsCode.workbench.statusBarItem('Norrvik Automation').waitFor();
    assert.equal(await walkthrough.tab.count(), 0);
  });

  it('suggests the next step after a machine is created', async () => {
    const { fleet, messages, quickInput, editors } = journey.vsCode.workbench;
    await fleet.menu('Application Lab', 'fleetwright.machine.create');
    await quickInput.enterText('bench-arm-77');
    await messages.pressButton(uiText('howToConnect'), 'bench-arm-77');
    await editors.tabStartingWith(connectTab).waitFor();
    const page = journey.vsCode.page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
    await page.getByRole('heading', { name: uiText('connectMachine', 'bench-arm-77') }).waitFor();
    await page.getByText('/etc/viam.json').waitFor();
    await journey.vsCode.screenshot('how-to-connect');
  });

  it('offers the instructions again in the menu of the part', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    const tab = editors.tabStartingWith(connectTab);
    await journey.vsCode.workbench.runBuiltIn('View: Close All Editors');
    await tab.waitFor({ state: 'detached' });
    await fleet.menu('bench-arm-77-main', 'fleetwright.part.showConnectPage');
    await tab.waitFor();
  });
});

describe('the first minute with a local fleet', () => {
  let vsCode: VsCode;

  before(async () => {
    vsCode = await startVsCode({ settings, viewport: { width: 1024, height: 768 } });
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    console.log(`Picture: ${await vsCode.screenshot(this.currentTest.fullTitle())}`);
  });

  after(() => vsCode.close());

  it('begins with the status bar, which offers to connect', async () => {
    const { quickInput } = vsCode.workbench;
    const status = vsCode.workbench.statusBarItem(uiText('notConnected'));
    await status.waitFor();
    await status.click();
    await quickInput.row(uiText('signIn')).waitFor();
    await quickInput.pick(uiText('startLocalFleet'));
  });

  it('ends with a machine and the walkthrough', async () => {
    await expandedMachine(vsCode).waitFor({ timeout: FIRST_START_LIMIT_MS });
    await vsCode.workbench.statusBarItem(uiText('localFleet')).waitFor();
    const walkthrough = new Walkthrough(vsCode.page);
    await walkthrough.tab.waitFor();
    await walkthrough.completed('start').waitFor();
    await vsCode.screenshot('first-minute-1024');
  });
});

describe('the first minute after signing in', () => {
  let service: ServiceProcess;
  let vsCode: VsCode;

  before(async () => {
    service = await startDemoService();
    vsCode = await startVsCode({ settings });
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    console.log(`Picture: ${await vsCode.screenshot(this.currentTest.fullTitle())}`);
  });

  after(async () => {
    await vsCode.close();
    await service.stop();
  });

  it('begins with a machine and the walkthrough', async () => {
    const { fleet, quickInput } = vsCode.workbench;
    const { apiKeyId, apiKey } = service.credentials;
    await fleet.open();
    await vsCode.page
      .locator('.part.sidebar')
      .getByRole('button', { name: uiText('signIn') })
      .click();
    await quickInput.enterText(service.url);
    await quickInput.title('2/3').waitFor();
    await quickInput.enterText(apiKeyId);
    await quickInput.title('3/3').waitFor();
    await quickInput.enterText(apiKey);
    await quickInput.pick(uiText('allowChangesChoice'));
    await expandedMachine(vsCode).waitFor();
    const walkthrough = new Walkthrough(vsCode.page);
    await walkthrough.tab.waitFor();
    await walkthrough.completed('start').waitFor();
  });
});
