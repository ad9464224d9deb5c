import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { connectPublicClient } from '../publicClient/publicClient';
import { storedKeys } from './support/browserStores';
import { DataPanel } from './support/dataPanel';
import {
  type ProcessFacts,
  stillRunning,
  withDescendants,
  workedSeconds,
} from './support/descendants';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { QueryPanel } from './support/queryPanel';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const perComponent = [
  'SELECT component_name, count(*) AS readings',
  'FROM readings',
  "WHERE time_received >= TIMESTAMP '2020-01-01'",
  'GROUP BY component_name ORDER BY component_name LIMIT 100',
].join('\n');
/** Query that takes minutes on any computer. */
const heavy =
  'SELECT count(*) FROM range(1000000000) AS a, range(1000) AS b WHERE a.range < b.range';

const machine = 'amr-01';
const ofPart =
  "SELECT count(*) AS readings FROM readings WHERE part_id = :part_id AND time_received > TIMESTAMP '2020-01-01'";

describe('querying the readings of an organization', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let panel: QueryPanel;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-query-'));
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    client = await connectPublicClient(service.credentials);
    panel = new QueryPanel(journey.vsCode.page);
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the result of a query, according to another client. */
  async function runSql(sql: string): Promise<readonly Record<string, unknown>[]> {
    const [found] = await client.appClient.listOrganizations();
    assert.ok(found);
    const rows = await client.dataClient.tabularDataBySQL(found.id, sql);
    return rows as unknown as readonly Record<string, unknown>[];
  }

  /** Returns the main part of a machine that has readings. */
  async function mainPart(): Promise<{ id: string; name: string; machineId: string }> {
    const [found] = await client.appClient.listOrganizations();
    assert.ok(found);
    for (const location of await client.appClient.listLocations(found.id)) {
      for (const robot of await client.appClient.listRobots(location.id)) {
        if (robot.name !== machine) continue;
        const parts = await client.appClient.getRobotParts(robot.id);
        const part = parts.find(({ mainPart: isMain }) => isMain);
        assert.ok(part);
        return { id: part.id, name: part.name, machineId: robot.id };
      }
    }
    return assert.fail(`There is no machine ${machine}.`);
  }

  it('completes a query in the editor', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.menu(organization, 'fleetwright.query.open');
    await editors.activeTab(uiText('queryTab', organization)).waitFor();
    await panel.write('SELECT component_na');
    await panel.complete('component_name');
    await panel.editor().getByText('SELECT component_name').waitFor();
  });

  it('runs the query, and shows the same rows as another client', async () => {
    await panel.replaceAll(perComponent);
    await panel.press('ControlOrMeta+Enter');
    const rows = await runSql(perComponent);
    assert.ok(rows.length > 1);
    await panel.result('complete', rows.length).waitFor();
    for (const { component_name: name } of rows.slice(0, 3)) {
      await panel.cell(String(name)).first().waitFor();
    }
  });

  it('draws a chart of the result, also as numbers', async () => {
    await panel.button(uiText('chart')).click();
    await panel.role('table', uiText('chartValues')).getByRole('row').nth(1).waitFor();
    await panel.button(uiText('table')).click();
  });

  it('exports the whole result', async () => {
    const { quickInput, messages } = journey.vsCode.workbench;
    await panel.button(uiText('exportAll')).click();
    await quickInput.pick('NDJSON');
    const path = join(folder, 'counts.ndjson');
    await quickInput.enterPath(path);
    await messages.waitForMessage(uiText('exportedRows', undefined, 'counts.ndjson'));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(exported, await runSql(perComponent));
  });

  it('shows the position of an error in a query', async () => {
    await panel.replaceAll('SELECT component_name FROM readings WHERE compnent_name = 1 LIMIT 5');
    await panel.press('ControlOrMeta+Enter');
    await panel.marked.getByText('compnent_name').first().waitFor();
    await panel
      .problem(/compnent_name/)
      .first()
      .waitFor();
  });

  it('cancels a heavy query, also in the service', async () => {
    const engines = (): readonly ProcessFacts[] =>
      withDescendants(journey.service.pid).filter(({ command }) =>
        command.includes('queryProcess'),
      );
    const before = new Map(engines().map((engine) => [engine.pid, workedSeconds(engine)]));
    const working = (): readonly ProcessFacts[] =>
      engines().filter((engine) => workedSeconds(engine) > (before.get(engine.pid) ?? 0) + 1);
    await panel.replaceAll(heavy);
    await panel.press('ControlOrMeta+Enter');
    await until('the service works on it', () => working().length > 0);
    const busy = working();
    await panel.button(uiText('cancel')).first().click();
    await panel.result('canceled').waitFor();
    assert.deepEqual(await stillRunning(busy), []);
    const [row] = await runSql('SELECT 1 AS one');
    assert.deepEqual(row, { one: 1 });
  });

  it('finds the queries again in the history', async () => {
    await panel.button(uiText('history')).click();
    await panel.role('searchbox', uiText('searchEarlierQueries')).fill('group readings');
    await panel.text(/^1 query$/).waitFor();
    await panel.press('ArrowDown', 'Enter');
    await panel.editor().getByText('GROUP BY component_name').waitFor();
  });

  it('restores its text after a window reload', async () => {
    const { vsCode } = journey;
    await panel.replaceAll(ofPart);
    await vsCode.writes(storedKeys.tabs, (text) => text.includes('= :part_id'));
    await vsCode.reload();
    await vsCode.workbench.editors.activeTab(uiText('queryTab', organization)).waitFor();
    await panel.editor().getByText('= :part_id').waitFor();
  });

  it('prompts for the part of a parameter by its name', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await panel.button(uiText('selectValue', 'part_id')).click();
    await quickInput.pick(`${machine}-main`);
    const { id, name } = await mainPart();
    const box = panel.parameter('part_id');
    await until('its id is in the box', async () => (await box.inputValue()) === id);
    await panel.editor().click();
    await panel.press('ControlOrMeta+Enter');
    const [row] = await runSql(ofPart.replace(':part_id', `'${id}'`));
    assert.ok(Number(row?.readings) > 0, name);
    await panel.cell(String(row?.readings)).waitFor();
  });

  it('opens with the selection of a data filter', async () => {
    const { quickInput } = journey.vsCode.workbench;
    const data = new DataPanel(journey.vsCode.page);
    await journey.vsCode.workbench.run('fleetwright.data.browse');
    await quickInput.pick(uiText('aMachine'));
    await quickInput.pick(machine);
    await data.tab(uiText('readings')).click();
    await data.button(uiText('more')).first().click();
    await data.role('menuitem', uiText('queryTheseReadings')).click();
    const { machineId } = await mainPart();
    await panel.editor().getByText(`robot_id = '${machineId}'`).waitFor();
  });
});
