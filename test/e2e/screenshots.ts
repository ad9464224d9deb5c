import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot } from '../../scripts/support/paths';
import { connectPublicClient } from '../publicClient/publicClient';
import { DataPanel } from './support/dataPanel';
import { type JourneyHost, startJourney } from './support/journeyHost';
import { LogPanel } from './support/logPanel';
import { QueryPanel } from './support/queryPanel';
import { type Simulator, startSimulator } from './support/simulator';
import { TrainingPanel } from './support/trainingPanel';
import { uiText } from './support/texts';

const FOLDER = fromRoot('docs', 'images');
const WALKTHROUGH_FOLDER = fromRoot('media', 'walkthrough');
const VIEWPORT = { width: 1280, height: 800 };
/**
 * Size of the part of the window that a walkthrough image shows. It is small enough that the image
 * is readable in the walkthrough.
 */
const WALKTHROUGH_SIZE = { width: 720, height: 480 };
/** Position of the editor area. */
const EDITOR_AREA = { x: 348, y: 35 };
/** Quality of the images in percent. */
const WEBP_QUALITY = 40;
const TRAINING_TIMEOUT_MS = 600_000;
const ONLINE_MACHINES = 30;

const ORGANIZATION = 'Norrvik Automation';
const LINE = ['Gothenburg Plant', 'Palletizing Hall', 'Line 1'];
const MACHINE = 'palletizer-1';
const PART = `${MACHINE}-main`;
const DATASET = 'carton-inspection';
const MODEL = 'cartons';
const VERSION = '1.0.0';
const LABELS = ['intact', 'damaged'];
/** Wire number of `MODEL_TYPE_SINGLE_LABEL_CLASSIFICATION`. */
const SINGLE_LABEL = 1;
const QUERY = [
  'SELECT component_name, count(*) AS readings',
  'FROM readings',
  "WHERE time_received >= TIMESTAMP '2020-01-01'",
  'GROUP BY component_name ORDER BY readings DESC LIMIT 100',
].join('\n');

/** Creates the images of the documentation from the running product: `npm run screenshots`. */
describe('images of the documentation', function () {
  this.timeout(TRAINING_TIMEOUT_MS + 60_000);
  let journey: JourneyHost;
  let simulator: Simulator;

  before(async () => {
    mkdirSync(FOLDER, { recursive: true });
    journey = await startJourney({ viewport: VIEWPORT });
    simulator = startSimulator(journey.service, ONLINE_MACHINES);
    const { workbench } = journey.vsCode;
    await workbench.fleet.open();
    await workbench.fleet.expand(ORGANIZATION, ...LINE);
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

  async function submitTraining(): Promise<void> {
    const { appClient, dataClient, mlTrainingClient } = await connectPublicClient(
      journey.service.credentials,
    );
    const organizations = await appClient.listOrganizations();
    const organization = organizations.find(({ name }) => name === ORGANIZATION);
    assert.ok(organization);
    const datasets = await dataClient.listDatasetsByOrganizationID(organization.id);
    const dataset = datasets.find(({ name }) => name === DATASET);
    assert.ok(dataset?.id);
    await mlTrainingClient.submitTrainingJob(
      organization.id,
      dataset.id,
      MODEL,
      VERSION,
      SINGLE_LABEL,
      LABELS,
    );
  }

  async function capture(name: string): Promise<void> {
    const { page, workbench } = journey.vsCode;
    await workbench.statusBarItem('Activating').waitFor({ state: 'detached' });
    // Move the pointer away, because hover effects and focused rows would draw attention to the
    // test's last click.
    await page.mouse.move(VIEWPORT.width / 2, 1);
    await page.locator('.monaco-hover:visible').first().waitFor({ state: 'hidden' });
    await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
  }

  /** Saves part of the window as an image for the walkthrough. */
  async function captureStep(step: string, { x, y } = EDITOR_AREA): Promise<void> {
    const { page } = journey.vsCode;
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: WEBP_QUALITY,
      clip: { x, y, ...WALKTHROUGH_SIZE, scale: 1 },
    });
    await session.detach();
    writeFileSync(join(WALKTHROUGH_FOLDER, `${step}.webp`), Buffer.from(data, 'base64'));
  }

  it('fleet.png shows a config next to the Fleet view', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.expand(MACHINE);
    await fleet.click(PART);
    await editors.activeTab(`${PART}.json`).waitFor();
    await editors.text('"components"').waitFor();
    await capture('fleet');
    await captureStep('start', { x: 0, y: 0 });
    await captureStep('edit');
  });

  it('logs.png shows the live log of a part', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.menu(PART, 'fleetwright.part.showLogs');
    await editors.tabStartingWith(uiText('logsTab')).waitFor();
    await new LogPanel(journey.vsCode.page).line(/./).nth(20).waitFor();
    await capture('logs');
    await captureStep('logs');
  });

  it('data.png shows captured images', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.menu(ORGANIZATION, 'fleetwright.data.browse');
    await editors.activeTab(uiText('dataTab', ORGANIZATION)).waitFor();
    const panel = new DataPanel(journey.vsCode.page);
    await panel.items.locator('.tile:not(.waiting)').nth(11).waitFor();
    await capture('data');
    await captureStep('data');
  });

  it('query.png shows the result of a query', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.menu(ORGANIZATION, 'fleetwright.query.open');
    await editors.activeTab(uiText('queryTab', ORGANIZATION)).waitFor();
    const panel = new QueryPanel(journey.vsCode.page);
    await panel.replaceAll(QUERY);
    await panel.press('ControlOrMeta+Enter');
    await panel.result('complete').waitFor();
    await capture('query');
    await captureStep('query');
  });

  it('training.png shows a completed training job', async () => {
    const { fleet, messages } = journey.vsCode.workbench;
    await submitTraining();
    await fleet.menu(ORGANIZATION, 'fleetwright.training.show');
    const job = new TrainingPanel(journey.vsCode.page).job(MODEL, VERSION, uiText('completed'));
    await job.waitFor({ timeout: TRAINING_TIMEOUT_MS });
    await job.click();
    await messages.pressButton(uiText('showTraining'), `${MODEL} ${VERSION}`);
    await new TrainingPanel(journey.vsCode.page).text(uiText('accuracy')).waitFor();
    await capture('training');
  });
});
