import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

const MANY = 120_000;

describe('readings in a data panel', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeDataHost;
  let opened: DataPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('data')]);
  });

  beforeEach(() => {
    host = new FakeDataHost();
    host.start = { tab: 'readings' };
    host.answers = {
      copyReadings: () => undefined,
      copyReadingCell: () => undefined,
      exportReadings: () => undefined,
    };
    setCount(300);
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  function setCount(count: number): void {
    host.counts.readings = count;
    host.readings.count = count;
  }

  async function open(theme?: ThemeKind): Promise<void> {
    opened = await DataPage.open(browser, { host, files, ...(theme && { theme }) });
  }

  async function openTable(theme?: ThemeKind): Promise<void> {
    await open(theme);
    await cellText('reading 299').or(opened.page.locator('.kind-number')).first().waitFor();
  }

  const grid = (): Locator => opened.page.getByRole('grid');
  const cellText = (text: string): Locator =>
    opened.page.locator('.data-cell', { hasText: new RegExp(`^${text}$`) });
  const active = (): Locator => opened.page.locator('.active-cell');
  const status = (): Locator => opened.page.locator('.readings-status [role=status]');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await opened.page.keyboard.press(key);
  };
  const listSent = (name: Parameters<FakeDataHost['getSent']>[0]): readonly unknown[] =>
    host.getSent(name);

  it('are shown in nested columns, newest first, with the number of loaded rows', async () => {
    await openTable();
    const headers = await opened.page.locator('[role=columnheader] .header-name').allInnerTexts();
    assert.deepEqual(headers, [
      ...['Time', 'Machine', 'Part', 'Component', 'Method', 'Tags'],
      ...['data.readings.celsius', 'data.readings.note'],
    ]);
    assert.equal(await grid().getAttribute('aria-rowcount'), '301');
    assert.equal(await grid().getAttribute('aria-colcount'), '8');
    assert.equal(await status().innerText(), 'Loaded all 300 readings');
    assert.match(await opened.page.locator('[aria-rowindex="2"]').innerText(), /reading 299/);
  });

  it('support keyboard navigation from cell to cell, to all edges, and row selection', async () => {
    await openTable();
    await grid().focus();
    await press('ArrowDown', 'ArrowDown', 'ArrowRight');
    assert.equal(await active().innerText(), 'rover-07');
    assert.equal(await active().getAttribute('aria-colindex'), '2');
    assert.equal(
      await grid().getAttribute('aria-activedescendant'),
      await active().getAttribute('id'),
    );
    await press('End');
    assert.equal(await active().innerText(), 'reading 297');
    await press('Control+End');
    await cellText('reading 0').waitFor();
    assert.equal(await active().innerText(), 'reading 0');
    await press('Control+Home', 'ArrowUp');
    assert.equal(await active().getAttribute('role'), 'columnheader');
    await press('ArrowDown', 'PageDown');
    assert.ok(Number(await active().locator('..').getAttribute('aria-rowindex')) > 10);
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    assert.equal(await opened.page.locator('.data-row[aria-selected=true]').count(), 3);
    assert.match(await status().innerText(), /3 rows selected/);
    await press('Escape');
    assert.equal(await opened.page.locator('.data-row[aria-selected=true]').count(), 0);
  });

  it('copy a cell, or the selected rows with the visible columns', async () => {
    await openTable();
    await grid().focus();
    await press('End', 'Control+c');
    await opened.webview.waitUntilIdle();
    assert.deepEqual(listSent('copyReadingCell').at(-1), {
      generation: 1,
      order: 'newestFirst',
      index: 0,
      column: 'd1',
    });
    await opened.button('Columns…').click();
    await opened.page.getByRole('searchbox').fill('method');
    await opened.page.getByRole('checkbox', { name: 'Method' }).press('Space');
    await opened.page.keyboard.press('Escape');
    assert.equal(
      await opened.page.evaluate(() => document.activeElement?.getAttribute('role')),
      'grid',
    );
    await press('Shift+ArrowDown', 'Control+c');
    await opened.webview.waitUntilIdle();
    assert.deepEqual(listSent('copyReadings').at(-1), {
      generation: 1,
      order: 'newestFirst',
      start: 0,
      end: 2,
      format: 'tsv',
      columns: ['time', 'machine', 'part', 'component', 'tags', 'd0', 'd1'],
    });
  });

  it('sort loaded rows by a header, and show their number', async () => {
    setCount(MANY);
    await openTable();
    await grid().focus();
    await press('Control+Home', 'ArrowUp', 'End', 'ArrowLeft', 'Enter');
    await opened.page
      .getByText(/^Sorted within the [\d,]+ of 120,000 readings loaded so far$/)
      .waitFor();
    const header = opened.page.locator('[role=columnheader][aria-sort=ascending]');
    assert.match(await header.innerText(), /celsius/);
    await opened.page
      .locator('.data-cell.kind-number')
      .first()
      .filter({ hasText: /^20$/ })
      .waitFor();
    await press('Enter');
    await opened.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await opened.page.locator('.kind-number', { hasText: /^29$/ }).first().waitFor();
    await press('Home', 'Enter');
    await opened.page.locator('[aria-sort=descending]', { hasText: 'Time' }).waitFor();
  });

  it('are sorted again with what another mode has loaded, and stay what they show', async () => {
    setCount(MANY);
    host.readings.payload = (number) => ({ readings: { celsius: number } });
    await openTable();
    await grid().focus();
    await press('Control+Home', 'ArrowUp', 'End', 'Enter');
    await status()
      .filter({ hasText: /^Sorted within the [\d,]{1,5} of 120,000/ })
      .waitFor();
    const lowest = opened.page.locator('[aria-rowindex="2"] .kind-number');
    await lowest.filter({ hasText: /^119\d{3}$/ }).waitFor();
    await opened.button('Latest Values').click();
    await opened.page.getByText(/in the 10,000 readings loaded so far/).waitFor();
    await opened.button('Table').click();
    await status()
      .filter({ hasText: /^Sorted within the 10,000 of 120,000/ })
      .waitFor();
    await lowest.filter({ hasText: /^110000$/ }).waitFor();
    await lowest.click();
    await press('Enter');
    await opened.page.locator('.viewer-text', { hasText: '110000' }).waitFor();
  });

  it('request the other order of times from the service', async () => {
    await openTable();
    await opened.page.locator('[role=columnheader]', { hasText: 'Time' }).click();
    await cellText('reading 0').waitFor();
    assert.equal(host.readings.pages.at(-1)?.order, 'oldestFirst');
  });

  it('preserve the columns, the order, and the time zone after a reload', async () => {
    await openTable();
    await opened.button('Columns…').click();
    await opened.page.getByRole('checkbox', { name: 'Method' }).press('Space');
    await opened.page.keyboard.press('Escape');
    await opened.page.locator('[role=columnheader]', { hasText: 'Time' }).click();
    await waitUntil(() => isRequested('oldestFirst'));
    await opened.button('More').last().click();
    await opened.page.getByText('Show Times in UTC').click();
    const state = await opened.webview.state();
    await opened.close();
    host = new FakeDataHost();
    host.start = { tab: 'readings' };
    setCount(300);
    opened = await DataPage.open(browser, { host, files, state });
    await cellText('reading 0').waitFor();
    assert.ok(isRequested('oldestFirst'));
    const headers = await opened.page.locator('[role=columnheader] .header-name').allInnerTexts();
    assert.ok(!headers.includes('Method') && headers.includes('Part'));
    const { views } = state as { views: { readings: unknown } };
    assert.deepEqual(views.readings, { hidden: ['Method'], order: 'oldestFirst', utc: true });
  });

  const isRequested = (order: string): boolean =>
    listSent('readingRows').some((request) => (request as { order: string }).order === order);

  it('render few of many rows, and load more at the scroll position', async () => {
    setCount(MANY);
    await openTable();
    assert.match(await status().innerText(), /of 120,000 readings/);
    await opened.button('Load All').click();
    await opened.page.getByText('Loaded all 120,000 readings').waitFor();
    await grid().focus();
    await press('Control+End');
    await cellText('reading 0').waitFor();
    assert.ok((await opened.page.locator('.data-row').count()) < 120);
    assert.equal(
      await opened.page.locator('.data-row').last().getAttribute('aria-rowindex'),
      '120001',
    );
  });

  it('render few cells of 500 columns, and scroll to the last one', async () => {
    host.readings.payload = (number) => ({
      readings: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, number + n])),
    });
    await openTable();
    assert.equal(await grid().getAttribute('aria-colcount'), '506');
    assert.ok((await opened.page.locator('.data-cell').count()) < 1_000);
    await grid().focus();
    await press('End');
    assert.equal(await active().innerText(), '798');
    await opened.button('Columns…').click();
    await opened.page.getByText('306 more match. Type more of the name to see them.').waitFor();
  });

  it('resize a column with keyboard and mouse', async () => {
    await openTable();
    await grid().focus();
    await press('Control+Home', 'ArrowUp');
    const width = async (): Promise<number> => (await active().boundingBox())?.width ?? 0;
    const before = await width();
    await press('Shift+ArrowRight');
    // Columns are drawn in the next frame.
    await waitUntil(async () => (await width()) === before + 20);
    const handle = await opened.page.locator('.resize-handle').first().boundingBox();
    assert.ok(handle);
    await opened.page.mouse.move(handle.x + 2, handle.y + 5);
    await opened.page.mouse.down();
    await opened.page.mouse.move(handle.x + 52, handle.y + 5, { steps: 3 });
    await opened.page.mouse.up();
    await waitUntil(async () => Math.round(await width()) === before + 70);
  });

  it('show a complete cell and row as text, and return', async () => {
    const hostile = `<img src=x onerror="alert(1)">\u202egnp.exe\n${'x'.repeat(10_000)}`;
    host.readings.payload = () => ({
      [`<b>key</b>`]: hostile,
      list: Array<number>(1_000).fill(1),
      nothing: null,
      empty: '',
      big: 1e308,
      deep: { a: { b: [{ c: 'NaN' }] } },
    });
    await open();
    await opened.page.setViewportSize({ width: 2_000, height: 700 });
    const row = opened.page.locator('[aria-rowindex="2"]');
    // The columns that fit only into the wider panel are drawn later than the others.
    await row.getByText('1e+308').waitFor();
    assert.match(await row.innerText(), /\[1,000 items\]/);
    assert.equal(await opened.page.locator('.data-grid img, .data-grid b').count(), 0);
    await grid().focus();
    await press('Home', ...Array<string>(6).fill('ArrowRight'), 'Enter');
    const text = opened.page.locator('.viewer-text');
    await text.waitFor();
    assert.equal(await text.textContent(), hostile);
    await opened.button('Whole Row').click();
    await opened.page.getByRole('heading', { name: 'Row 1' }).waitFor();
    await text.filter({ hasText: '"machine": "rover-07"' }).waitFor();
    await press('Escape');
    assert.ok(await grid().evaluate((element) => element === document.activeElement));
  });

  it('explain what to do without readings, and why they failed, with Retry', async () => {
    setCount(0);
    await open();
    await opened.page.getByText('No readings have been captured here yet.').waitFor();
    await opened.page.locator('.readings-state').getByRole('button', { name: 'Upload' }).waitFor();
    setCount(5);
    host.readings.failures = [new FleetError('unavailable', 'The service does not answer.')];
    host.apply();
    await opened.page
      .getByRole('alert')
      .getByText(/The service does not answer/)
      .waitFor();
    await opened.button('Retry').click();
    await cellText('reading 4').waitFor();
  });

  it('offer to start the local fleet if readings cannot be loaded without it', async () => {
    setCount(0);
    await open();
    setCount(5);
    const stopped = 'The local fleet is not running.';
    host.readings.failures = [
      new FleetError('unavailable', stopped, { action: 'startLocalFleet' }),
    ];
    host.apply();
    await opened.page.getByRole('alert').getByText(stopped).waitFor();
    await opened.button('Start Local Fleet').click();
    await waitUntil(() => host.getSent('startLocalFleet').length === 1);
    host.apply();
    await cellText('reading 4').waitFor();
  });

  it('show the latest value of each resource, and failed ones', async () => {
    host.readings.components = ['mast', 'arm', 'gate'];
    host.readings.failingLatest.add('arm');
    await openTable();
    await opened.button('Latest Values').click();
    await opened.page.getByText('3 resources in the 300 readings loaded so far').waitFor();
    const arm = opened.page.getByRole('row', { name: /main › arm/ });
    await arm.getByText('No answer about arm.').waitFor();
    const mast = opened.page.getByRole('row', { name: /main › mast/ });
    assert.match(await mast.innerText(), /celsius/);
    host.readings.failingLatest.clear();
    await arm.getByRole('button', { name: 'Retry' }).click();
    await arm.getByText('celsius', { exact: true }).first().waitFor();
  });

  it('chart numbers over time, with keyboard and text', async () => {
    setCount(30_000);
    host.readings.components = ['mast', 'arm'];
    await openTable();
    await opened.button('Chart').press('Enter');
    await opened.page.getByRole('searchbox').fill('celsius');
    await opened.page.getByRole('checkbox', { name: 'data.readings.celsius' }).press('Space');
    const note = opened.page.locator('.chart-note');
    await note
      .getByText(/^30,000 points from .* to .* From the 30,000 of 30,000 readings loaded so far/)
      .waitFor();
    assert.match(await note.innerText(), /Downsampled/);
    await opened.page.keyboard.press('Escape');
    const lines = opened.page.getByRole('table', { name: 'Chart line values' });
    assert.match(
      await lines.getByRole('row').nth(1).innerText(),
      /^A\s+data\.readings\.celsius\s+rover-07 › main › (mast|arm)\s+15,000\s+2\d\s+2\d/,
    );
    assert.equal(await lines.locator('svg line').count(), 2);
    const cursor = opened.page.locator('.chart-cursor');
    await press('Home');
    await cursor.getByText(/12:00:00\.000 · . data\.readings\.celsius: 20/).waitFor();
    await press('End', '+', '+');
    await note.getByText(/^[\d,]{5} points/).waitFor();
    assert.doesNotMatch(await note.innerText(), /Downsampled/);
    await press('0');
    await note.getByText(/^30,000 points/).waitFor();
  });

  it('include numbers in later rows in the chart', async () => {
    setCount(4_000);
    host.readings.payload = (number) => (number === 5 ? { rare: 1 } : { usual: number });
    await openTable();
    await opened.button('Chart').click();
    await opened.page.getByRole('checkbox', { name: 'data.rare' }).waitFor();
  });

  it('report that there are no numbers to chart', async () => {
    host.readings.payload = () => ({ text: 'none' });
    await open();
    await cellText('none').first().waitFor();
    await opened.button('Chart').click();
    await opened.page.getByText('The loaded readings contain no numbers.').waitFor();
  });

  it('export what the filter selects', async () => {
    await openTable();
    await opened.button('Export All…').click();
    await waitUntil(() => listSent('exportReadings').length > 0);
    assert.deepEqual(listSent('exportReadings'), [{ generation: 1 }]);
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      await openTable(theme);
      assert.deepEqual(await findAxeViolations(opened.page), []);
      await grid().focus();
      await press('Enter');
      await opened.page.locator('.viewer-text').waitFor();
      await opened.button('Columns…').click();
      assert.deepEqual(await findAxeViolations(opened.page), []);
      await opened.button('Latest Values').click();
      await opened.page.getByText('celsius', { exact: true }).first().waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
