import assert from 'node:assert/strict';
import { toPseudoText as t } from '../support/pseudoTexts';
import { findBareEnglish } from '../support/visibleWords';
import { type JourneyHost, startJourney } from './support/journeyHost';

const organization = 'Norrvik Automation';
const location = 'Gothenburg Plant';

/** Names of the demo fleet, and VS Code's own label of the buttons of a row. */
const data = [
  ...[organization, location, 'Application Lab', 'Palletizing Hall', 'Finished Goods Warehouse'],
  ...['Saltmarsh Field Robotics', 'Douro Vineyards', 'Setúbal Workshop', 'Survey Vessel Garça'],
  'Actions for',
];
/** Contents of the demo fleet's data panel. */
const captured = ['jpeg', 'jpg', 'png', 'cell-overview', 'palletizer', 'main'];

describe('a pseudo-translated extension shows no bare English string', () => {
  let journey: JourneyHost;

  before(async () => {
    journey = await startJourney({ isPseudo: true });
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
  });

  it('in the Fleet view and its menus', async () => {
    const { page, workbench } = journey.vsCode;
    const { fleet } = workbench;
    await fleet.expand(organization, location);
    const rows = await findBareEnglish(page, data, '.part.sidebar .monaco-list-rows');
    assert.deepEqual(rows, []);
    await fleet.row(location).click({ button: 'right' });
    await page.locator('.context-view .monaco-menu').first().waitFor();
    assert.deepEqual(await findBareEnglish(page, data, '.context-view'), []);
    await page.keyboard.press('Escape');
  });

  it('in the title of a command in the Command Palette', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await quickInput.openPalette();
    await quickInput.type(`>${t('Create Machine…')}`);
    await quickInput.row(`Fleetwright: ${t('Create Machine…')}`).waitFor();
    await quickInput.leave();
  });

  it('in a data panel', async () => {
    const { page, workbench } = journey.vsCode;
    await workbench.fleet.menu(organization, t('Browse Data'));
    const view = page.locator('iframe.webview.ready').contentFrame();
    const body = view.frameLocator('#active-frame').locator('body');
    await body.locator('#item-0').waitFor();
    const frame = await (await body.elementHandle()).ownerFrame();
    assert.ok(frame);
    assert.deepEqual(await findBareEnglish(frame, [...data, ...captured]), []);
  });
});
