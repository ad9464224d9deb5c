import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { connectPublicClient } from '../publicClient/publicClient';
import {
  type ProcessFacts,
  stillRunning,
  withDescendants,
  workedSeconds,
} from './support/descendants';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { QueryNotebook } from './support/queryNotebook';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const organization = 'Norrvik Automation';
const name = 'parts.fleetnb';
const pipeline = [
  { $group: { _id: '$component_name', readings: { $sum: 1 } } },
  { $sort: { _id: 1 } },
];
const notebook = [
  '# How much do parts report?',
  '',
  'By component, *all* of them:',
  '',
  '~~~mql',
  '[',
  '  // Counted in the service.',
  '  { "$group": { "_id": "$component_name", "readings": { "$sum": 1 } } },',
  '  { "$sort": { "_id": 1 } }',
  ']',
  '~~~',
  '',
  '```sql',
  'SELECT count(*) AS readings FROM readings',
  'WHERE component_name = :component_name',
  '```',
  '',
  '```sql',
  // This query takes minutes on any computer.
  'SELECT count(*) FROM range(1000000000) AS a, range(1000) AS b WHERE a.range < b.range',
  '```',
  '',
].join('\n');

describe('a notebook of queries', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let folder: string;
  let file: string;
  let page: QueryNotebook;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-notebook-'));
    file = join(folder, name);
    writeFileSync(file, notebook);
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    client = await connectPublicClient(service.credentials);
    page = new QueryNotebook(journey.vsCode.page);
    await journey.vsCode.workbench.fleet.open();
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Counted {
    readonly _id: string;
    readonly readings: number | bigint;
  }

  /** Returns the result of the pipeline, according to another client. */
  async function counted(): Promise<readonly Counted[]> {
    const organizations = await client.appClient.listOrganizations();
    const found = organizations.find((one) => one.name === organization);
    assert.ok(found);
    const rows = await client.dataClient.tabularDataByMQL(found.id, pipeline);
    return rows as unknown as readonly Counted[];
  }

  async function open(): Promise<void> {
    const { vsCode } = journey;
    await vsCode.page.keyboard.press('ControlOrMeta+p');
    await vsCode.workbench.quickInput.pick(name);
    await vsCode.workbench.editors.activeTab(name).waitFor();
  }

  /** Returns the lines that were added to or removed from the file. */
  function difference(): { readonly added: readonly string[]; readonly gone: readonly string[] } {
    const [before, after] = [notebook.split('\n'), readFileSync(file, 'utf8').split('\n')];
    return {
      added: after.filter((line) => !before.includes(line)),
      gone: before.filter((line) => !after.includes(line)),
    };
  }

  it('runs MQL in the organization that is selected once, with the rows below', async () => {
    const { quickInput } = journey.vsCode.workbench;
    await open();
    await page.heading('How much do parts report?').waitFor();
    await page.edit(1, '$group');
    await page.run(1);
    await quickInput.pick(organization);
    const rows = await counted();
    assert.ok(rows.length > 1);
    await page.result('complete', rows.length).waitFor();
    for (const { _id, readings } of rows) {
      await page.value(_id).waitFor();
      await page
        .value(Number(readings).toLocaleString('en'))
        .or(page.value(String(readings)))
        .first()
        .waitFor();
    }
    await journey.vsCode.workbench.statusBarItem(organization).first().waitFor();
  });

  it('draws a chart of the rows', async () => {
    await page.button(uiText('chart')).click();
    await page.text(uiText('pointCount')).waitFor();
    await page.button(uiText('table')).click();
  });

  it('prompts for the value of a parameter in SQL', async () => {
    const { quickInput, editors } = journey.vsCode.workbench;
    const [row] = await counted();
    assert.ok(row);
    // Leave the output first: a webview that was just clicked takes the focus away from the
    // palette.
    await page.edit(2, 'SELECT');
    await journey.vsCode.workbench.runBuiltIn('Notebook: Clear All Outputs');
    await page.edit(2, 'SELECT');
    await page.run(2);
    await quickInput.title(uiText('parameterValue', 'component_name')).waitFor();
    await quickInput.enterText(row._id);
    await page.value(String(row.readings)).waitFor();
    await page.cell(2).getByText(`component_name: ${row._id}`).waitFor();
    await editors.dirtyTab.waitFor();
  });

  it('shows an error at its position until the cell is changed', async () => {
    const wrong = ', compnent_name';
    await page.edit(2, 'SELECT');
    await journey.vsCode.page.keyboard.type(wrong);
    await page.run(2);
    await page.text(/compnent_name/).waitFor();
    await page.marked(2).waitFor();
    await page.edit(2, 'SELECT');
    for (const key of Array<string>(wrong.length).fill('Backspace')) {
      await journey.vsCode.page.keyboard.press(key);
    }
    await page.marked(2).waitFor({ state: 'detached' });
  });

  it('cancels a heavy query, also in the service', async () => {
    await journey.vsCode.workbench.runBuiltIn('Notebook: Clear All Outputs');
    const engines = (): readonly ProcessFacts[] =>
      withDescendants(journey.service.pid).filter(({ command }) =>
        command.includes('queryProcess'),
      );
    const before = new Map(engines().map((engine) => [engine.pid, workedSeconds(engine)]));
    const working = (): readonly ProcessFacts[] =>
      engines().filter((engine) => workedSeconds(engine) > (before.get(engine.pid) ?? 0) + 1);
    await page.edit(3, 'range');
    await page.run(3);
    await until('the service works on it', () => working().length > 0);
    const busy = working();
    await page.stop(3);
    await page.result('canceled').waitFor();
    assert.deepEqual(await stillRunning(busy), []);
  });

  it('is saved as text with changes only in the edited lines', async () => {
    const { editors } = journey.vsCode.workbench;
    await page.edit(2, 'WHERE');
    await journey.vsCode.page.keyboard.type(' AND true');
    await editors.dirtyTab.waitFor();
    await editors.saved();
    const { added, gone } = difference();
    const [, named = '', , changed, ...further] = added;
    assert.match(named, /^organization: [\w-]+ # Norrvik Automation$/);
    assert.equal(changed, 'WHERE component_name = :component_name AND true');
    assert.deepEqual(further, []);
    assert.deepEqual(gone, ['WHERE component_name = :component_name']);
  });

  it('is the same when it is reopened, without results and without a prompt', async () => {
    const { vsCode } = journey;
    const before = readFileSync(file, 'utf8');
    await vsCode.workbench.runBuiltIn('View: Close Editor');
    await vsCode.workbench.editors.activeTab(name).waitFor({ state: 'detached' });
    await open();
    await page.line(1, 'Counted in the service').waitFor();
    assert.equal(await page.results.count(), 0);
    await page.edit(1, '$group');
    await page.run(1);
    const rows = await counted();
    await page.result('complete', rows.length).waitFor();
    await vsCode.workbench.editors.activeCleanTab(name).waitFor();
    await until('nothing was written', () => readFileSync(file, 'utf8') === before);
  });
});
