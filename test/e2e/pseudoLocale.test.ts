import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { toPseudoText as t } from '../support/pseudoTexts';
import { findBareEnglish } from '../support/visibleWords';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { QueryNotebook } from './support/queryNotebook';
import { getCommandTitle } from './support/texts';

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

/** Type of the column in the results, as the query language calls it. */
const TYPE = 'integer';
/** The names of the query languages. */
const LANGUAGES = 'Fleet SQL, Fleet MQL';
const NOTEBOOK = 'parts.fleetnb';
const CELLS = [
  ...['~~~mql', '[{ "$count": "n" }]', '~~~', ''],
  ...['```sql', 'SELECT 1 AS n', '```', ''],
].join('\n');

describe('a pseudo-translated extension shows no bare English string', () => {
  let journey: JourneyHost;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-pseudo-'));
    writeFileSync(join(folder, NOTEBOOK), CELLS);
    journey = await startJourneyWith(await startDemoService(), folder, { isPseudo: true });
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
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
    await quickInput.type(`>${t(getCommandTitle('fleetwright.machine.create'))}`);
    await quickInput
      .row(`Fleetwright: ${t(getCommandTitle('fleetwright.machine.create'))}`)
      .waitFor();
    await quickInput.leave();
  });

  it('in a data panel', async () => {
    const { page, workbench } = journey.vsCode;
    await workbench.fleet.menu(organization, 'fleetwright.data.browse', t);
    const view = page.locator('iframe.webview.ready').contentFrame();
    const body = view.frameLocator('#active-frame').locator('body');
    await body.locator('#item-0').waitFor();
    const frame = await (await body.elementHandle()).ownerFrame();
    assert.ok(frame);
    assert.deepEqual(await findBareEnglish(frame, [...data, ...captured]), []);
  });

  it('in a query notebook', async () => {
    const { page, workbench } = journey.vsCode;
    const notebook = new QueryNotebook(page);
    await page.keyboard.press('ControlOrMeta+p');
    await workbench.quickInput.pick(NOTEBOOK);
    await notebook.run(0);
    await workbench.quickInput.row(organization).waitFor();
    for (const part of ['.quick-input-title', '.quick-input-list .monaco-list-rows']) {
      assert.deepEqual(await findBareEnglish(page, data, part), [], part);
    }
    await workbench.quickInput.pick(organization);
    await notebook.result('complete', 1).waitFor();
    await notebook.edit(1, 'SELECT');
    await notebook.run(1);
    await notebook.value('1').waitFor();
    const outputs = await findBareEnglish(await notebook.frame(), [...data, TYPE]);
    assert.deepEqual(outputs, []);
    const items = await findBareEnglish(page, [...data, LANGUAGES], '.cell-contributed-items');
    assert.deepEqual(items, []);
  });
});
