import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { HistoryEntry } from '../../src/shared/query/queryPanel';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { FakeQueryHost } from './support/fakeQueryHost';
import { QueryPage } from './support/queryPage';
import { sharedBrowser } from './support/sharedBrowser';
import { themeKinds, type ThemeKind } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

function entry(number: number): HistoryEntry {
  return {
    id: `q${number}`,
    language: number % 2 === 0 ? 'sql' : 'mql',
    text: number % 2 === 0 ? `SELECT ${number}\nFROM readings` : `[{ "$limit": ${number} }]`,
    at: Date.UTC(2026, 10, 21, 12) - number * 60_000,
    ...(number % 3 === 0 ? {} : { rows: number, elapsedMs: 1_200 }),
  };
}

describe('the query history in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeQueryHost;
  let query: QueryPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('query')]);
  });

  beforeEach(() => {
    host = new FakeQueryHost();
    host.entries = Array.from({ length: 1_000 }, (_, number) => entry(number));
  });

  afterEach(async () => {
    const { pageErrors: complaints } = query.webview;
    await query.close();
    assert.deepEqual(complaints, []);
  });

  async function open(theme?: ThemeKind): Promise<void> {
    query = await QueryPage.open(browser, { host, files, ...(theme && { theme }) });
    await query.button('History').click();
    await pane().waitFor();
    await query.webview.waitUntilIdle();
  }

  const press = (keys: string): Promise<void> => query.page.keyboard.press(keys);
  const entries = (): Locator => query.page.getByRole('option');
  const chosen = (): Locator => query.page.locator('[role=option][aria-selected=true]');
  const search = (): Locator =>
    query.page.getByRole('searchbox', { name: 'Search earlier queries' });
  const whole = (): Locator => query.page.locator('.history-whole');
  const pane = (): Locator => query.page.locator('.query-history');

  it('shows the number of queries, and each with its time and rows', async () => {
    await open();
    await pane().getByText('1,000 queries').waitFor();
    assert.match(
      await entries().nth(1).innerText(),
      /\[\{ "\$limit": 1 \}\]\s*MQL, .*2026.* · 1 row · 1\.2 sec/,
    );
    assert.match(
      await entries().nth(0).innerText(),
      /^SELECT 0 FROM readings\s*SQL, .* · not finished/,
    );
  });

  it('loads more entries at the end of the list', async () => {
    await open();
    await entries().nth(99).waitFor();
    await search().press('ArrowDown');
    await press('End');
    await entries().nth(199).waitFor();
    await press('End');
    await entries().nth(299).waitFor();
    const requests = host.getSent('searchHistory') as { after?: { id: string } }[];
    assert.deepEqual(
      requests.map(({ after }) => after?.id),
      [undefined, host.entries[99]?.id, host.entries[199]?.id],
    );
  });

  it('loads each entry once if another window runs a query in the meantime', async () => {
    await open();
    await entries().nth(99).waitFor();
    const [first] = host.entries;
    assert.ok(first);
    host.entries = [{ ...first, id: 'new', text: 'SELECT new' }, ...host.entries];
    await search().press('ArrowDown');
    await press('End');
    await entries().nth(199).waitFor();
    assert.match(await entries().nth(99).innerText(), /"\$limit": 99 /);
    assert.match(await entries().nth(100).innerText(), /SELECT 100 /);
  });

  it('preserves the scroll position when a query was run', async () => {
    await open();
    await search().press('ArrowDown');
    await press('End');
    await entries().nth(199).waitFor();
    await press('End');
    await entries().nth(299).waitFor();
    const list = query.page.locator('.history-list');
    const readTop = (text: string): Promise<number> =>
      list.getByText(text, { exact: true }).evaluate((one) => one.getBoundingClientRect().top);
    const before = await readTop('SELECT 198 FROM readings');
    host.entries = [{ ...entry(5_000), id: 'new' }, ...host.entries];
    host.show({ result: 'result 1' });
    await pane().getByText('1,001 queries').waitFor();
    assert.equal(await entries().count(), 300);
    assert.equal(await readTop('SELECT 198 FROM readings'), before);
    assert.match(await chosen().innerText(), /"\$limit": 199 /);
  });

  it('preserves the scroll position with more entries than the host returns at a time', async () => {
    await open();
    await search().press('ArrowDown');
    for (const last of [199, 299, 399, 499, 599]) {
      await press('End');
      await entries().nth(last).waitFor();
    }
    host.entries = [{ ...entry(5_000), id: 'new' }, ...host.entries];
    host.show({ result: 'result 1' });
    await pane().getByText('1,001 queries').waitFor();
    assert.equal(await entries().count(), 600);
    assert.match(await chosen().innerText(), /"\$limit": 499 /);
  });

  it('finds queries with all words', async () => {
    await open();
    await search().fill('limit 77');
    await pane().getByText('14 queries').waitFor();
    await search().fill('nothing like it');
    await pane().getByText('No matching queries.').waitFor();
    assert.equal(await entries().count(), 0);
    await whole().waitFor({ state: 'hidden' });
  });

  it('inserts a query into the editor with the keyboard, in its language', async () => {
    await open();
    await search().press('ArrowDown');
    await press('ArrowDown');
    assert.equal(await whole().innerText(), '[{ "$limit": 1 }]');
    await press('Enter');
    await pane().waitFor({ state: 'hidden' });
    assert.equal(await query.text(), '[{ "$limit": 1 }]');
    await query.page.locator('.cm-content[aria-label="Query in MQL"]:focus').waitFor();
    await query.webview.waitUntilIdle();
    assert.equal(host.getSent('runQuery').length, 0);
  });

  it('runs a query again', async () => {
    await open();
    await search().press('ArrowDown');
    await press('ArrowDown');
    await press('ArrowDown');
    await press('Control+Enter');
    await waitUntil(() => host.getSent('runQuery').length === 1);
    assert.equal((host.getSent('runQuery')[0] as { text: string }).text, 'SELECT 2\nFROM readings');
    assert.equal(await query.text(), 'SELECT 2\nFROM readings');
  });

  it('deletes one query in place, and all queries', async () => {
    await open();
    await search().press('ArrowDown');
    await press('ArrowDown');
    await press('Delete');
    await pane().getByText('999 queries').waitFor();
    await chosen().filter({ hasText: 'SELECT 2' }).waitFor();
    await query.button('Remove').click();
    await pane().getByText('998 queries').waitFor();
    await query.page.locator('.history-list:focus, [data-focus="history remove"]:focus').waitFor();
    await query.button('Clear All').click();
    await pane().getByText('Queries you run appear here.').waitFor();
    assert.deepEqual(host.getSent('removeQuery'), [{ id: 'q1' }, { id: 'q2' }]);
  });

  it('reports that nothing is stored when it is turned off', async () => {
    host.entries = [];
    host.savesHistory = false;
    await open();
    await pane()
      .getByText(/Queries are not saved/)
      .waitFor();
  });

  it('returns the focus to its button at Escape', async () => {
    await open();
    assert.equal(await query.button('History').getAttribute('aria-expanded'), 'true');
    await press('Escape');
    await pane().waitFor({ state: 'hidden' });
    await query.page.locator('[data-focus="query history"]:focus').waitFor();
    assert.equal(await query.button('History').getAttribute('aria-expanded'), 'false');
  });

  it('shows hostile texts as text', async () => {
    const text = `<img src=x onerror="alert(1)">\u202e${'long '.repeat(5_000)}`;
    host.entries = [{ ...entry(0), text }];
    await open();
    assert.equal(await whole().textContent(), text);
    assert.equal(await query.page.locator('img[src]').count(), 0);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await open(theme);
      await entries().nth(0).waitFor();
      await search().press('ArrowDown');
      assert.deepEqual(await findAxeViolations(query.page), []);
      await query.page.setViewportSize({ width: 300, height: 600 });
      assert.deepEqual(await findAxeViolations(query.page), []);
    });
  }
});
