import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { storedKeys } from './support/browserStores';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { QueryFile } from './support/queryFile';
import { QueryPanel } from './support/queryPanel';
import { until } from './support/until';
import { uiText } from './support/texts';

const organization = 'Norrvik Automation';
const file = 'warmest.fleet.sql';

describe('queries in files', () => {
  let folder: string;
  let journey: JourneyHost;
  let query: QueryFile;
  let panel: QueryPanel;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-queries-'));
    writeFileSync(join(folder, file), '-- The warmest parts\n');
    writeFileSync(join(folder, 'parts.mql.json'), '[{ "$sortByCount": "$part_id" }]\n');
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    query = new QueryFile(journey.vsCode.page);
    panel = new QueryPanel(journey.vsCode.page);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(name: string): Promise<void> {
    const { quickInput, editors } = journey.vsCode.workbench;
    await journey.vsCode.page.keyboard.press('ControlOrMeta+p');
    await quickInput.pick(name);
    await editors.tabStartingWith(name).waitFor();
  }

  it('prompt once for the organization', async () => {
    await open(file);
    await query.lens(uiText('selectAnOrganization')).click();
    await journey.vsCode.workbench.quickInput.pick(organization);
    await query.lens(organization).waitFor();
  });

  it('have completions for columns and for the content of readings', async () => {
    const { editors } = journey.vsCode.workbench;
    const { keyboard } = journey.vsCode.page;
    await editors.focus();
    await keyboard.press('ControlOrMeta+End');
    await editors.type('SELECT part_');
    await query.accept('part_id');
    await editors.type(', max(data.readings.temperatur');
    await query.offers('temperatures');
    await query.accept('temperature');
    await keyboard.press('End');
    await editors.type(' AS warmest FROM readi');
    await query.accept('readings');
    await editors.type(' GROUP BY part_i');
    await query.accept('part_id');
    await editors
      .line(
        'SELECT part_id, max(data.readings.temperature) AS warmest FROM readings GROUP BY part_id',
      )
      .waitFor();
  });

  it('show warnings, and fix them', async () => {
    await query.warnings.first().waitFor();
    await query.goToProblem(uiText('noLowerBound', 'time_received'));
    await query.fix(uiText('limitToLastDay'));
    const { editors } = journey.vsCode.workbench;
    await editors.text('WHERE time_received >= now() - INTERVAL 1 DAY').waitFor();
    await until('nothing is doubtful', async () => (await query.warnings.count()) === 0);
    await editors.saved();
  });

  it('run in place, and show their rows in a panel of the file', async () => {
    await query.lens(uiText('run')).click();
    await panel.rows.waitFor();
    await journey.vsCode.workbench.editors.tabStartingWith(uiText('resultTab', file)).waitFor();
    await panel.text(/^SQL · warmest\.fleet\.sql, line 2 · Norrvik Automation/).waitFor();
    await panel
      .cell(/^\d+(\.\d+)?$/)
      .first()
      .waitFor();
  });

  it('report while the service is frozen that it does not respond, and recover', async () => {
    const { pid } = journey.service;
    process.kill(pid, 'SIGSTOP');
    try {
      await query.lens(uiText('run')).click();
      await panel.serviceNotice.waitFor();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await panel.rows.waitFor();
    await panel.serviceNotice.waitFor({ state: 'hidden' });
  });

  it('show an error at its position until it is fixed', async () => {
    const { editors } = journey.vsCode.workbench;
    await editors.replaceAll('max(', 'maxx(');
    await query.lens(uiText('run')).click();
    await query.errors.first().waitFor();
    assert.equal(
      await journey.vsCode.page
        .locator(`.tab[aria-label^=${JSON.stringify(uiText('resultTab'))}]`)
        .count(),
      1,
    );
    await query.goToProblem('maxx');
    // Depending on VS Code, the cursor is at the start or at the end of the match.
    await journey.vsCode.workbench.statusBarItem(/Ln 2, Col (17|21)/).waitFor();
    await editors.replaceAll('maxx(', 'max(');
    await until('nothing is wrong', async () => (await query.errors.count()) === 0);
    await editors.saved();
  });

  it('preserve the organization, and the statement of the result, after a reload', async () => {
    const { vsCode } = journey;
    await vsCode.writes(storedKeys.tabs, (text) => text.includes('maxx'));
    await vsCode.reload();
    await query.lens(organization).waitFor();
    await panel.text(/^SQL · warmest\.fleet\.sql, line 2 · Norrvik Automation/).waitFor();
    await panel.text(uiText('rowsDiscarded')).waitFor();
    await panel.button(uiText('runAgain')).click();
    await panel.text(/maxx/).last().waitFor();
    await query.lens(uiText('run')).click();
    await panel.rows.waitFor();
  });

  it('support pipelines as well', async () => {
    await open('parts.mql.json');
    await query.lens(uiText('selectAnOrganization')).click();
    await journey.vsCode.workbench.quickInput.pick(organization);
    await query.lens(uiText('allData')).waitFor();
    await query.lensInFront(uiText('run')).click();
    await panel.text(/^MQL · parts\.mql\.json, line 1 · Norrvik Automation/).waitFor();
    await panel.cell(/^\d+$/).first().waitFor();
  });
});
