import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import { axeComplaints } from './support/axe';
import { FakeResultHost } from './support/fakeResultHost';
import { waitUntil } from './support/logPage';
import { bundleResults, ResultsPage } from './support/resultsPage';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, startBrowser } from './support/webviewPage';

const MILLION = 1_000_000;
const never = new AbortController().signal;

describe('the table of a query result', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeResultHost;
  let opened: ResultsPage;

  before(async () => {
    [browser, files] = await Promise.all([startBrowser(), bundleResults()]);
  });

  after(() => browser.close());

  beforeEach(() => {
    host = new FakeResultHost();
  });

  afterEach(async () => {
    const { complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(theme?: ThemeKind): Promise<void> {
    opened = await ResultsPage.open(browser, { host, files, ...(theme && { theme }) });
    await opened.show();
  }

  async function openTable(theme?: ThemeKind): Promise<void> {
    await open(theme);
    await opened.cell('reading 0').waitFor();
  }

  const headers = (): Promise<readonly string[]> =>
    opened.page.locator('[role=columnheader] .header-name').allInnerTexts();

  it('shows nested values in columns with their kinds, and how much of how much is shown', async () => {
    host.row = (number) => ({
      ...{ at: new Date(Date.UTC(2026, 0, 1)), on: true, none: null, note: `reading ${number}` },
      data: { celsius: 21.5, list: [1, 2], text: 'null' },
    });
    await openTable();
    assert.deepEqual(await headers(), [
      ...['at', 'on', 'none', 'note', 'data.celsius', 'data.list', 'data.text'],
    ]);
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '301');
    assert.equal(await opened.status.innerText(), 'Showing all 300 rows');
    const cells = opened.page.locator('[aria-rowindex="2"] .data-cell');
    const titles = await cells.evaluateAll((all) => all.map((cell) => (cell as HTMLElement).title));
    assert.deepEqual(titles, [
      ...['Time', 'True or false', 'Null', 'Text', 'Number', 'JSON', 'Text'],
    ]);
    assert.equal(await cells.first().innerText(), '2026-01-01T00:00:00.000Z');
    const amounts = await opened.page.locator('.status-amounts').innerText();
    assert.equal(amounts, '1.23 sec in all · first row after 56 ms · 150 kB');
  });

  it('grows as rows come, and keeps what is seen, selected and at the keyboard', async () => {
    host.rows = 200;
    host.status = { state: 'running' };
    await openTable();
    assert.equal(await opened.status.innerText(), '200 rows so far');
    await opened.grid.focus();
    await opened.press(...Array<string>(60).fill('ArrowDown'), 'Shift+ArrowDown', 'End');
    await opened.press('Shift+ArrowDown');
    const top = await opened.grid.evaluate((grid) => grid.scrollTop);
    assert.ok(top > 0);
    const [active] = await opened.active.allInnerTexts();
    host.rows = 50_000;
    host.tell();
    await opened.status.filter({ hasText: /^50,000 rows so far/ }).waitFor();
    host.status = { state: 'complete' };
    host.tell();
    await opened.status.filter({ hasText: /^Showing all 50,000 rows/ }).waitFor();
    assert.equal(await opened.grid.evaluate((grid) => grid.scrollTop), top);
    assert.deepEqual(await opened.active.allInnerTexts(), [active]);
    assert.ok(await opened.grid.evaluate((grid) => grid === document.activeElement));
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '50001');
    await opened.press('Control+End');
    await opened.cell('reading 49999').waitFor();
  });

  it('adds columns that only later rows have', async () => {
    host.rows = 100;
    host.status = { state: 'running' };
    host.row = (number) => ({ note: `reading ${number}`, ...(number > 5_000 && { late: number }) });
    await openTable();
    assert.deepEqual(await headers(), ['note']);
    host.rows = 6_000;
    const last = { result: host.result, start: 5_999, end: 6_000, columns: 0 };
    await host.handlers.resultRows(last, never);
    host.status = {};
    host.tell();
    await opened.page.getByRole('columnheader', { name: 'late' }).waitFor();
  });

  it('holds few cells of a million rows, and goes to the last one', async () => {
    host.rows = MILLION;
    host.status = { state: 'full' };
    await openTable();
    await opened.grid.focus();
    await opened.press('Control+End');
    await opened.cell('reading 999999').waitFor();
    assert.ok((await opened.page.locator('.data-row').count()) < 120);
    assert.match(await opened.status.innerText(), /^Showing the first 1,000,000 rows: no more/);
    assert.match(await opened.status.innerText(), /Export All writes them all/);
  });

  it('asks for few of the rows with 2,000 columns at a time, and goes to the last column', async () => {
    host.row = (number) =>
      Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, number + n]));
    await open();
    await opened.cell('0').first().waitFor();
    await opened.grid.focus();
    await opened.press('End');
    assert.equal(await opened.active.innerText(), '1999');
    const spans = host.sentOf('resultRows') as readonly { start: number; end: number }[];
    assert.ok(spans.slice(0, 1).every(({ start, end }) => end - start <= 30));
    assert.ok(spans.slice(1).every(({ start, end }) => end - start <= 3));
    assert.ok((await opened.page.locator('.data-cell').count()) < 2_000);
  });

  it('sorts by a header, both ways and back to the order of the answer', async () => {
    await openTable();
    await opened.grid.focus();
    await opened.press('ArrowUp', 'End', 'ArrowLeft', 'Enter');
    await opened.page.getByText('Sorted by data.readings.celsius').waitFor();
    const sorted = (direction: string) =>
      opened.page.locator(`[role=columnheader][aria-sort=${direction}]`);
    assert.match(await sorted('ascending').innerText(), /celsius/);
    const first = opened.page.locator('[aria-rowindex="2"] .kind-number');
    assert.equal(await first.innerText(), '20');
    await opened.press('Enter');
    await sorted('descending').waitFor();
    await first.filter({ hasText: /^29$/ }).waitFor();
    await opened.press('Enter');
    await opened.cell('reading 0').waitFor();
    assert.equal(await opened.status.innerText(), 'Showing all 300 rows');
    assert.equal(await opened.active.getAttribute('role'), 'columnheader');
  });

  it('says among how many rows it sorted while more come, and sorts all in the end', async () => {
    host.status = { state: 'running' };
    await openTable();
    await opened.page.getByRole('columnheader', { name: 'data.readings.celsius' }).click();
    await opened.page.getByText('300 rows so far · Sorted by data.readings.celsius').waitFor();
    host.rows = 900;
    host.tell();
    await opened.page.getByText('Sorted among the first 300 of 900 rows so far').waitFor();
    await opened.button('Look Again').click();
    await opened.page.getByText('900 rows so far · Sorted by data.readings.celsius').waitFor();
    host.rows = 1_200;
    host.status = {};
    host.tell();
    await opened.page.getByText('Showing all 1,200 rows · Sorted by').waitFor();
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '1201');
  });

  it('finds rows by a text, says how many of how many, and shows all again', async () => {
    await openTable();
    await opened.grid.focus();
    await opened.press('Control+f');
    await opened.page.keyboard.type('READING 29');
    await opened.press('Enter');
    await opened.page.getByText('Showing 11 of 300 rows: those with “READING 29”').waitFor();
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '12');
    assert.ok(await opened.grid.evaluate((grid) => grid === document.activeElement));
    await opened.cell('reading 299').waitFor();
    await opened.find.fill('nowhere');
    await opened.page.getByText('No row has “nowhere”.').waitFor();
    await opened.find.press('Escape');
    await opened.cell('reading 0').waitFor();
    assert.equal(await opened.status.innerText(), 'Showing all 300 rows');
  });

  it('shows the rows as they were while it sorts, and drops what is not wanted any more', async () => {
    await openTable();
    const waiting: (() => void)[] = [];
    host.beforeArranging = () => new Promise<void>((resolve) => waiting.push(resolve));
    await opened.page.getByRole('columnheader', { name: 'data.readings.celsius' }).click();
    await opened.page.getByText('Sorting…').waitFor();
    await opened.cell('reading 0').waitFor();
    await opened.page.getByRole('columnheader', { name: 'part_id' }).click();
    await waitUntil(() => waiting.length === 2);
    waiting.forEach((resolve) => resolve());
    await opened.page.getByText('Sorted by part_id').waitFor();
    assert.equal(await opened.page.getByText('Sorting…').count(), 0);
  });

  it('copies a cell, or the selected rows with the columns that are shown', async () => {
    await openTable();
    await opened.grid.focus();
    await opened.press('End', 'Control+c');
    assert.deepEqual(host.sentOf('copyResultCell'), [
      { result: 'result 1', place: 0, column: 'c3' },
    ]);
    await opened.button('Columns…').click();
    await opened.page.getByRole('searchbox', { name: 'Find columns' }).fill('part');
    await opened.page.getByRole('checkbox', { name: 'part_id' }).press('Space');
    await opened.press('Escape', 'Shift+ArrowDown', 'Control+c');
    await opened.button('More').click();
    await opened.page.getByRole('menuitem', { name: 'Copy Rows as JSON' }).click();
    const rows = { result: 'result 1', start: 0, end: 2, columns: ['c0', 'c2', 'c3'] };
    assert.deepEqual(host.sentOf('copyResult'), [
      { ...rows, format: 'tsv' },
      { ...rows, format: 'json' },
    ]);
  });

  it('shows a cell and a row as a whole, as text, and goes back', async () => {
    const hostile = `<img src=x onerror="alert(1)">\u202egnp.exe\n${'x'.repeat(200_000)}`;
    host.row = () => ({ '<b>key</b>': hostile, list: [1, 2] });
    await open();
    await opened.page.locator('.kind-text').first().waitFor();
    await opened.grid.focus();
    await opened.press('Home', 'Enter');
    const text = opened.page.locator('.viewer-text');
    await text.waitFor();
    assert.equal((await text.textContent())?.slice(0, 60), hostile.slice(0, 60));
    await opened.page.getByText(/The first 100,000 of 200,\d+ characters/).waitFor();
    assert.equal(await opened.page.locator('.results img, .results b').count(), 0);
    await opened.button('Whole Row').click();
    await opened.page.getByRole('heading', { name: 'Row 1' }).waitFor();
    await opened.press('Escape');
    assert.ok(await opened.grid.evaluate((grid) => grid === document.activeElement));
  });

  it('waits with a way to cancel, and says when nothing came', async () => {
    host.rows = 0;
    host.status = { state: 'waiting', firstRowMs: undefined };
    await open();
    await opened.page.getByText('Waiting for the first row…').waitFor();
    await opened.button('Cancel').click();
    await waitUntil(() => host.sentOf('cancelResult').length > 0);
    assert.deepEqual(host.sentOf('cancelResult'), [{ result: 'result 1' }]);
    host.status = { state: 'cancelled' };
    host.tell();
    await opened.page.getByText('Cancelled before the first row came.').waitFor();
    assert.equal(await opened.button('Cancel').count(), 0);
    host.status = { state: 'complete' };
    host.tell();
    await opened.page.getByText('The query found no rows.').waitFor();
    assert.deepEqual(await opened.said(), [
      ...['Waiting for the first row…', 'Cancelled before the first row came.'],
      'The query found no rows.Widen its conditions. Some clouds answer nothing without a lower bound on time_received.',
    ]);
  });

  it('keeps the rows of a query that failed or was cancelled, and says so', async () => {
    host.status = { state: 'cancelled' };
    await openTable();
    const cancelled = 'Cancelled after 300 rows. There may be more.';
    assert.equal(await opened.status.innerText(), cancelled);
    const problem = { message: 'The session is over.', action: 'signIn' };
    host.status = { state: 'failed', problem };
    host.tell();
    await opened.page.getByText('Failed after 300 rows. The session is over.').waitFor();
    await opened.button('Sign In').click();
    await waitUntil(() => host.sentOf('actOnProblem').length > 0);
    assert.deepEqual(host.sentOf('actOnProblem'), [{ action: 'signIn' }]);
    await opened.cell('reading 0').waitFor();
  });

  it('says why a query failed, and what can be done', async () => {
    host.rows = 0;
    const message = 'There is no column celsious.';
    host.status = { state: 'failed', problem: { message, action: 'unheardOf' } };
    await open();
    const alert = opened.page.getByRole('alert');
    assert.equal(await alert.innerText(), `The query failed. ${message}`);
    assert.equal(await opened.page.locator('.result-state button').count(), 0);
  });

  it('says why rows could not be read, and reads them again', async () => {
    host.failures.set('resultRows', new FleetError('unavailable', 'The disk does not answer.'));
    await open();
    await opened.page
      .getByText('The result could not be read. The disk does not answer.')
      .waitFor();
    await opened.button('Retry').click();
    await opened.cell('reading 0').waitFor();
  });

  it('stays in the order that is there when sorting fails', async () => {
    await openTable();
    host.failures.set('arrangeResult', new FleetError('unavailable', 'No room.'));
    await opened.page.getByRole('columnheader', { name: 'part_id' }).click();
    await opened.page.getByText('The result could not be read. No room.').waitFor();
    await opened.button('Retry').click();
    await opened.cell('reading 0').waitFor();
    assert.equal(await opened.page.locator('[aria-sort=ascending]').count(), 0);
  });

  it('shows another result from its beginning, and ignores what is told of the former', async () => {
    await openTable();
    await opened.page.getByRole('columnheader', { name: 'part_id' }).click();
    await opened.page.getByText('Sorted by part_id').waitFor();
    host.result = 'result 2';
    host.rows = 2;
    await opened.show('pumps.fleet.sql');
    await opened.status.filter({ hasText: /^Showing all 2 rows$/ }).waitFor();
    await opened.page.getByText('pumps.fleet.sql').waitFor();
    host.result = 'result 1';
    host.tell();
    host.result = 'result 2';
    assert.equal(await opened.status.innerText(), 'Showing all 2 rows');
  });

  it('shows several results on one page', async () => {
    opened = await ResultsPage.open(browser, { host, files, views: 2 });
    await opened.show(undefined, 0);
    await opened.show(undefined, 1);
    await opened.cell('reading 0').nth(1).waitFor();
    const ids = await opened.page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
    await opened.grid.nth(1).focus();
    await opened.press('ArrowDown');
    await opened.grid.nth(1).locator('.active-cell').waitFor();
    assert.equal(
      await opened.grid.nth(1).locator('.active-cell').innerText(),
      '2026-11-21T12:00:01.000Z',
    );
  });

  it('exports all rows', async () => {
    await openTable();
    await opened.button('Export All…').click();
    await waitUntil(() => host.sentOf('exportResult').length > 0);
    assert.deepEqual(host.sentOf('exportResult'), [{ result: 'result 1' }]);
  });

  it('fits 300 pixels', async () => {
    await openTable();
    await opened.page.setViewportSize({ width: 300, height: 500 });
    const overflow = await opened.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    assert.ok(((await opened.grid.boundingBox())?.height ?? 0) > 150);
  });

  for (const theme of themeKinds) {
    it(`has no fault that axe finds in ${theme}`, async () => {
      await openTable(theme);
      await opened.grid.focus();
      await opened.press('Enter');
      await opened.page.locator('.viewer-text').waitFor();
      await opened.button('Columns…').click();
      assert.deepEqual(await axeComplaints(opened.page), []);
      host.rows = 0;
      host.status = { state: 'failed', problem: { message: 'Over.', action: 'retry' } };
      host.result = 'result 3';
      await opened.show();
      await opened.button('Retry').waitFor();
      assert.deepEqual(await axeComplaints(opened.page), []);
    });
  }
});
