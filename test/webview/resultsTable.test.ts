import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { resultsSuite } from './support/resultsSuite';
import { type ThemeKind, themeKinds } from './support/themes';

const MILLION = 1_000_000;
const never = new AbortController().signal;

describe('the table of a query result', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  async function open(theme?: ThemeKind): Promise<void> {
    await results.open({ theme });
  }

  async function openTable(theme?: ThemeKind): Promise<void> {
    await open(theme);
    await results.opened.cell('reading 0').waitFor();
  }

  const headers = (): Promise<readonly string[]> =>
    results.opened.page.locator('[role=columnheader] .header-name').allInnerTexts();
  /**
   * Waits until the headers have the given names, because moved columns are drawn only in the next
   * frame.
   */
  async function headersAre(names: readonly string[]): Promise<void> {
    await results.opened.webview.waitUntilIdle();
    await waitUntil(async () => (await headers()).join() === names.join());
  }

  it('shows nested values in columns with their types, and the number of visible rows', async () => {
    results.host.row = (number) => ({
      ...{ at: new Date(Date.UTC(2026, 0, 1)), on: true, none: null, note: `reading ${number}` },
      data: { celsius: 21.5, list: [1, 2], text: 'null' },
    });
    results.host.types = { at: 'timestamp' };
    await openTable();
    const title = await results.opened.page
      .locator('[role=columnheader]')
      .first()
      .getAttribute('title');
    assert.match(title ?? '', /^at: timestamp\n/);
    assert.deepEqual(await headers(), [
      ...['at', 'on', 'none', 'note', 'data.celsius', 'data.list', 'data.text'],
    ]);
    assert.equal(await results.opened.grid.getAttribute('aria-rowcount'), '301');
    assert.equal(await results.opened.status.innerText(), 'Showing all 300 rows');
    const cells = results.opened.page.locator('[aria-rowindex="2"] .data-cell');
    const titles = await cells.evaluateAll((all) => all.map((cell) => (cell as HTMLElement).title));
    assert.deepEqual(titles, [
      ...['Time', 'True or false', 'Null', 'Text', 'Number', 'JSON', 'Text'],
    ]);
    assert.equal(await cells.first().innerText(), '2026-01-01T00:00:00.000Z');
    const amounts = await results.opened.page.locator('.status-amounts').innerText();
    assert.equal(amounts, '1.23 sec in total · first row after 56 ms · 150 kB');
  });

  it('shows times, component, and data of whole readings first, and IDs narrow and last', async () => {
    const reading = {
      ...{ organization_id: 'acme', location_id: 'hall', robot_id: 'arm', part_id: 'main' },
      ...{ component_type: 'sensor', component_name: 'outside', method_name: 'Readings' },
      ...{ time_requested: new Date(0), time_received: new Date(0), tags: ['night'] },
      ...{ additional_parameters: {}, data: { readings: { n: 1, note: 'x' } }, extra: 1 },
    };
    results.host.row = () => reading;
    await open();
    await results.opened.cell('outside').first().waitFor();
    const order = [
      ...['time_received', 'time_requested', 'component_name', 'component_type', 'method_name'],
      ...['data.readings.n', 'data.readings.note', 'extra', 'tags', 'additional_parameters'],
      ...['organization_id', 'location_id', 'robot_id', 'part_id'],
    ];
    const shown = await headers();
    assert.deepEqual(shown, order.slice(0, shown.length));
    await results.opened.grid.focus();
    await results.opened.press('ArrowUp', 'End');
    await waitUntil(async () => (await headers()).slice(-4).join() === order.slice(-4).join());
    const id = results.opened.page.locator('[role=columnheader]').last();
    assert.equal((await id.boundingBox())?.width, 96);
  });

  it('preserves the order of selected columns', async () => {
    results.host.row = () => ({ part_id: 'main', time_received: new Date(0), n: 1 });
    await open();
    await results.opened.cell('main').first().waitFor();
    assert.deepEqual(await headers(), ['part_id', 'time_received', 'n']);
  });

  it('sizes selected IDs to their content', async () => {
    const id = '3f2a1b7c-7d1e-4c2b-9a7f-0123456789ab';
    results.host.row = () => ({ part_id: id, n: 1 });
    await open();
    const cell = results.opened.cell(id).first();
    await cell.waitFor();
    assert.ok(await cell.evaluate((made) => made.scrollWidth <= made.clientWidth));
  });

  it('shows the text of a truncated cell in its tooltip', async () => {
    const long = 'a text that is much longer than the cell of its column can show at once';
    results.host.row = (number) => ({ long, short: `s${number}` });
    await open();
    const cell = results.opened.cell(long).first();
    await cell.hover();
    assert.equal(await cell.getAttribute('title'), `${long}\nText`);
    const short = results.opened.cell('s0');
    await short.hover();
    assert.equal(await short.getAttribute('title'), 'Text');
  });

  it('moves columns with keyboard and pointer, and remembers their order', async () => {
    results.host.row = (number) => ({ a: 'reading 0', b: 2, c: 3, d: number });
    await open();
    await results.opened.cell('reading 0').first().waitFor();
    await results.opened.grid.focus();
    await results.opened.press('ArrowUp', 'ArrowUp', 'Alt+ArrowRight', 'Alt+ArrowRight');
    await headersAre(['b', 'c', 'a', 'd']);
    await results.opened.press('Alt+ArrowRight', 'Alt+ArrowRight', 'Alt+ArrowLeft');
    await headersAre(['b', 'c', 'a', 'd']);
    const header = (name: string) =>
      results.opened.page.locator('[role=columnheader]', { hasText: new RegExp(`^${name}$`) });
    await header('d').dragTo(header('b'));
    await headersAre(['d', 'b', 'c', 'a']);
    await results.opened.show();
    await results.opened.cell('reading 0').first().waitFor();
    await headersAre(['d', 'b', 'c', 'a']);
    const state = await results.opened.webview.state();
    assert.deepEqual(
      Object.values(state as object)
        .flat()
        .includes('d'),
      true,
    );
  });

  it('grows as rows arrive, and preserves visible rows, selection, and focus', async () => {
    results.host.rows = 200;
    results.host.status = { state: 'running' };
    await openTable();
    assert.equal(await results.opened.status.innerText(), '200 rows so far');
    await results.opened.grid.focus();
    await results.opened.press(...Array<string>(60).fill('ArrowDown'), 'Shift+ArrowDown', 'End');
    await results.opened.press('Shift+ArrowDown');
    await results.opened.webview.waitUntilIdle();
    const top = await results.opened.grid.evaluate((grid) => grid.scrollTop);
    assert.ok(top > 0);
    const [active] = await results.opened.active.allInnerTexts();
    results.host.rows = 50_000;
    results.host.notifyStatus();
    await results.opened.status.filter({ hasText: /^50,000 rows so far/ }).waitFor();
    results.host.status = { state: 'complete' };
    results.host.notifyStatus();
    await results.opened.status.filter({ hasText: /^Showing all 50,000 rows/ }).waitFor();
    assert.equal(await results.opened.grid.evaluate((grid) => grid.scrollTop), top);
    assert.deepEqual(await results.opened.active.allInnerTexts(), [active]);
    assert.ok(await results.opened.grid.evaluate((grid) => grid === document.activeElement));
    assert.equal(await results.opened.grid.getAttribute('aria-rowcount'), '50001');
    await results.opened.press('Control+End');
    await results.opened.cell('reading 49999').waitFor();
  });

  it('adds columns that only later rows have', async () => {
    results.host.rows = 100;
    results.host.status = { state: 'running' };
    results.host.row = (number) => ({
      note: `reading ${number}`,
      ...(number > 5_000 && { late: number }),
    });
    await openTable();
    assert.deepEqual(await headers(), ['note']);
    results.host.rows = 6_000;
    const last = { result: results.host.result, start: 5_999, end: 6_000, columns: 0 };
    await results.host.handlers.resultRows(last, never);
    results.host.status = {};
    results.host.notifyStatus();
    await results.opened.page.getByRole('columnheader', { name: 'late' }).waitFor();
  });

  it('renders few cells of a million rows, and scrolls to the last one', async () => {
    results.host.rows = MILLION;
    results.host.status = { state: 'full' };
    await openTable();
    await results.opened.grid.focus();
    await results.opened.press('Control+End');
    await results.opened.cell('reading 999999').waitFor();
    assert.ok((await results.opened.page.locator('.data-row').count()) < 120);
    assert.match(await results.opened.status.innerText(), /^Showing the first 1,000,000 rows\. /);
    assert.match(await results.opened.status.innerText(), /Export All writes the full result/);
  });

  it('requests few of the rows with 2,000 columns at a time, and scrolls to the last column', async () => {
    results.host.row = (number) =>
      Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, number + n]));
    await open();
    await results.opened.cell('0').first().waitFor();
    await results.opened.grid.focus();
    await results.opened.press('End');
    assert.equal(await results.opened.active.innerText(), '1999');
    const spans = results.host.getSent('resultRows') as readonly { start: number; end: number }[];
    assert.ok(spans.slice(0, 1).every(({ start, end }) => end - start <= 30));
    assert.ok(spans.slice(1).every(({ start, end }) => end - start <= 3));
    assert.ok((await results.opened.page.locator('.data-cell').count()) < 2_000);
  });

  it('sorts by a header in both directions and resets to the original order', async () => {
    await openTable();
    await results.opened.grid.focus();
    await results.opened.press('ArrowUp', 'End', 'ArrowLeft', 'Enter');
    await results.opened.page.getByText('Sorted by data.readings.celsius').waitFor();
    const sorted = (direction: string) =>
      results.opened.page.locator(`[role=columnheader][aria-sort=${direction}]`);
    assert.match(await sorted('ascending').innerText(), /celsius/);
    const first = results.opened.page.locator('[aria-rowindex="2"] .kind-number');
    await first.filter({ hasText: /^20$/ }).waitFor();
    await results.opened.press('Enter');
    await sorted('descending').waitFor();
    await first.filter({ hasText: /^29$/ }).waitFor();
    await results.opened.press('Enter');
    await results.opened.cell('reading 0').waitFor();
    assert.equal(await results.opened.status.innerText(), 'Showing all 300 rows');
    assert.equal(await results.opened.active.getAttribute('role'), 'columnheader');
  });

  it('shows the number of sorted rows while more arrive, and sorts all at the end', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    await results.opened.page.getByRole('columnheader', { name: 'data.readings.celsius' }).click();
    await results.opened.page
      .getByText('300 rows so far · Sorted by data.readings.celsius')
      .waitFor();
    results.host.rows = 900;
    results.host.notifyStatus();
    await results.opened.page
      .getByText('Sorted within the first 300 of 900 rows received so far')
      .waitFor();
    await results.opened.button('Check Again').click();
    await results.opened.page
      .getByText('900 rows so far · Sorted by data.readings.celsius')
      .waitFor();
    results.host.rows = 1_200;
    results.host.status = {};
    results.host.notifyStatus();
    await results.opened.page.getByText('Showing all 1,200 rows · Sorted by').waitFor();
    assert.equal(await results.opened.grid.getAttribute('aria-rowcount'), '1201');
  });

  it('finds rows by a text, shows their number, and shows all again', async () => {
    await openTable();
    await results.opened.grid.focus();
    await results.opened.press('Control+f');
    await results.opened.page.keyboard.type('READING 29');
    await results.opened.press('Enter');
    await results.opened.page
      .getByText('Showing 11 of 300 rows that contain "READING 29"')
      .waitFor();
    assert.equal(await results.opened.grid.getAttribute('aria-rowcount'), '12');
    assert.ok(await results.opened.grid.evaluate((grid) => grid === document.activeElement));
    await results.opened.cell('reading 299').waitFor();
    await results.opened.find.fill('nowhere');
    await results.opened.page.getByText('No rows contain "nowhere".').waitFor();
    await results.opened.find.press('Escape');
    await results.opened.cell('reading 0').waitFor();
    await results.opened.find.fill('nowhere');
    await results.opened.button('Clear Search').click();
    await results.opened.cell('reading 0').waitFor();
    assert.equal(await results.opened.find.inputValue(), '');
    assert.equal(await results.opened.status.innerText(), 'Showing all 300 rows');
  });

  it('retries a failed search while the text is in its box', async () => {
    await openTable();
    results.host.failures.set('arrangeResult', new FleetError('unavailable', 'No room.'));
    await results.opened.find.fill('READING 29');
    await results.opened.find.press('Enter');
    await results.opened.page.getByText("Couldn't read the result. No room.").waitFor();
    await results.opened.button('Retry').click();
    await results.opened.page.getByText(/^Showing 11 of 300 rows/).waitFor();
  });

  it('shows the previous rows while it sorts, and cancels outdated requests', async () => {
    await openTable();
    const waiting: (() => void)[] = [];
    results.host.beforeArranging = () => new Promise<void>((resolve) => waiting.push(resolve));
    await results.opened.page.getByRole('columnheader', { name: 'data.readings.celsius' }).click();
    await results.opened.page.getByText('Sorting…').waitFor();
    await results.opened.cell('reading 0').waitFor();
    await results.opened.page.getByRole('columnheader', { name: 'part_id' }).click();
    await waitUntil(() => waiting.length === 2);
    waiting.forEach((resolve) => resolve());
    await results.opened.page.getByText('Sorted by part_id').waitFor();
    assert.equal(await results.opened.page.getByText('Sorting…').count(), 0);
  });

  it('copies a cell, or the selected rows with the visible columns', async () => {
    await openTable();
    await results.opened.grid.focus();
    await results.opened.press('End', 'Control+c');
    await results.opened.webview.waitUntilIdle();
    assert.deepEqual(results.host.getSent('copyResultCell'), [
      { result: 'result 1', rowIndex: 0, column: 'c3' },
    ]);
    await results.opened.button('Columns…').click();
    await results.opened.page.getByRole('searchbox', { name: 'Find columns' }).fill('part');
    await results.opened.page.getByRole('checkbox', { name: 'part_id' }).press('Space');
    await results.opened.press('Escape', 'Shift+ArrowDown', 'Control+c');
    await results.opened.button('More').click();
    await results.opened.page.getByRole('menuitem', { name: 'Copy Rows as JSON' }).click();
    await results.opened.webview.waitUntilIdle();
    const rows = { result: 'result 1', start: 0, end: 2, columns: ['c0', 'c2', 'c3'] };
    assert.deepEqual(results.host.getSent('copyResult'), [
      { ...rows, format: 'tsv' },
      { ...rows, format: 'json' },
    ]);
  });

  it('shows a complete cell and row as text, and returns', async () => {
    const hostile = `<img src=x onerror="alert(1)">\u202egnp.exe\n${'x'.repeat(200_000)}`;
    results.host.row = () => ({ '<b>key</b>': hostile, list: [1, 2] });
    await open();
    await results.opened.page.locator('.kind-text').first().waitFor();
    await results.opened.grid.focus();
    await results.opened.press('Home', 'Enter');
    const text = results.opened.page.locator('.viewer-text');
    await text.waitFor();
    assert.equal((await text.textContent())?.slice(0, 60), hostile.slice(0, 60));
    await results.opened.page.getByText(/The first 100,000 of 200,\d+ characters/).waitFor();
    assert.equal(await results.opened.page.locator('.results img, .results b').count(), 0);
    await results.opened.button('Whole Row').click();
    await results.opened.page.getByRole('heading', { name: 'Row 1' }).waitFor();
    await results.opened.press('Escape');
    assert.ok(await results.opened.grid.evaluate((grid) => grid === document.activeElement));
  });

  it('does not move the focus while a cell loads', async () => {
    await openTable();
    await results.opened.grid.focus();
    await results.opened.page.evaluate(() => {
      // Use a method, because for a function, the compiler would add a helper that the page doesn't
      // have.
      const elsewhere = {
        hasFocus(): boolean {
          return false;
        },
      };
      Object.assign(document, elsewhere);
    });
    await results.opened.press('End', 'Enter');
    const text = results.opened.page.locator('.viewer-text');
    await text.waitFor();
    assert.ok(await results.opened.grid.evaluate((grid) => grid === document.activeElement));
    await results.opened.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    assert.ok(await text.evaluate((one) => one === document.activeElement));
  });

  it('offers to cancel while it waits, and reports an empty result', async () => {
    results.host.rows = 0;
    results.host.status = { state: 'waiting', firstRowMs: undefined };
    await open();
    await results.opened.page.getByText('Waiting for the first row…').waitFor();
    const amounts = results.opened.page.locator('.status-amounts');
    assert.match(await amounts.innerText(), /^[\d.]+ sec so far$/);
    await results.opened.button('Cancel').click();
    await waitUntil(() => results.host.getSent('cancelResult').length > 0);
    assert.deepEqual(results.host.getSent('cancelResult'), [{ result: 'result 1' }]);
    results.host.status = { state: 'canceled' };
    results.host.notifyStatus();
    await results.opened.page.getByText('Canceled before the first row arrived.').waitFor();
    assert.equal(await results.opened.button('Cancel').count(), 0);
    results.host.status = { state: 'complete' };
    results.host.notifyStatus();
    await results.opened.page.getByText('The query returned no rows.').waitFor();
    assert.deepEqual(await results.opened.getAnnouncements(), [
      ...['Waiting for the first row…', 'Canceled before the first row arrived.'],
      'The query returned no rows. Broaden the query conditions.',
    ]);
  });

  it('shows short column names next to the sort and filter icons', async () => {
    results.host.row = (number) => ({ i: number, id: number });
    await open();
    for (const name of ['i', 'id']) {
      const header = results.opened.page.getByRole('columnheader', { name, exact: true });
      await header.click();
      await header.getByText('▲').waitFor();
      const cut = await header
        .locator('.header-name')
        .evaluate((text) => text.scrollWidth - text.clientWidth);
      assert.equal(cut, 0, name);
    }
  });

  it('suggests a lower bound on the time only for a query without one', async () => {
    results.host.rows = 0;
    results.host.status = { state: 'complete', isMissingTimeBound: true };
    await open();
    const hint = results.opened.page.getByText('Add a lower bound on time_received');
    await hint.waitFor();
    results.host.status = { state: 'complete', isMissingTimeBound: false };
    results.host.notifyStatus();
    await hint.waitFor({ state: 'detached' });
  });

  it('preserves the rows of a query that failed or was canceled, and reports it', async () => {
    results.host.status = { state: 'canceled' };
    await openTable();
    const canceled = 'Canceled after 300 rows. There might be more rows.';
    assert.equal(await results.opened.status.innerText(), canceled);
    const problem = { message: 'The session is over.', action: 'signIn' };
    results.host.status = { state: 'failed', problem };
    results.host.notifyStatus();
    await results.opened.page.getByText('Failed after 300 rows. The session is over.').waitFor();
    await results.opened.button('Sign In').click();
    await waitUntil(() => results.host.getSent('actOnProblem').length > 0);
    assert.deepEqual(results.host.getSent('actOnProblem'), [{ action: 'signIn' }]);
    await results.opened.cell('reading 0').waitFor();
  });

  it('shows why a query failed, and what to do', async () => {
    results.host.rows = 0;
    const message = 'There is no column celsious.';
    results.host.status = { state: 'failed', problem: { message, action: 'unheardOf' } };
    await open();
    const alert = results.opened.page.getByRole('alert');
    assert.equal(await alert.innerText(), message);
    assert.equal(await results.opened.page.locator('.result-state button').count(), 0);
  });

  it('shows why rows could not be loaded, and reloads them', async () => {
    results.host.failures.set(
      'resultRows',
      new FleetError('unavailable', 'The disk does not answer.'),
    );
    await open();
    await results.opened.page
      .getByText("Couldn't read the result. The disk does not answer.")
      .waitFor();
    await results.opened.button('Retry').click();
    await results.opened.cell('reading 0').waitFor();
  });

  it('gets the focus back when a new sort closes the value viewer', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    await results.opened.page.getByRole('columnheader').first().click();
    await results.opened.page.getByText(/Sorted by/).waitFor();
    await results.opened.webview.waitUntilIdle();
    await results.opened.press('ArrowDown', 'Enter');
    await results.opened.page.locator('.viewer-text:focus').waitFor();
    results.host.rows = 400;
    results.host.status = {};
    results.host.notifyStatus();
    await results.opened.page.locator('[role="grid"]:focus').waitFor();
  });

  it('preserves the current order when sorting fails', async () => {
    await openTable();
    results.host.failures.set('arrangeResult', new FleetError('unavailable', 'No room.'));
    await results.opened.page.getByRole('columnheader', { name: 'part_id' }).click();
    await results.opened.page.getByText("Couldn't read the result. No room.").waitFor();
    await results.opened.button('Retry').click();
    await results.opened.cell('reading 0').waitFor();
    assert.equal(await results.opened.page.locator('[aria-sort=ascending]').count(), 0);
  });

  it('shows another result from its start, and ignores messages about the previous one', async () => {
    await openTable();
    await results.opened.page.getByRole('columnheader', { name: 'part_id' }).click();
    await results.opened.page.getByText('Sorted by part_id').waitFor();
    results.host.result = 'result 2';
    results.host.rows = 2;
    await results.opened.show('pumps.fleet.sql');
    await results.opened.status.filter({ hasText: /^Showing all 2 rows$/ }).waitFor();
    await results.opened.page.getByText('pumps.fleet.sql').first().waitFor();
    results.host.result = 'result 1';
    results.host.notifyStatus();
    results.host.result = 'result 2';
    assert.equal(await results.opened.status.innerText(), 'Showing all 2 rows');
  });

  it('shows several results on one page', async () => {
    await results.open({ views: 2 });
    await results.opened.show(undefined, 1);
    await results.opened.cell('reading 0').nth(1).waitFor();
    const ids = await results.opened.page
      .locator('[id]')
      .evaluateAll((all) => all.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
    await results.opened.grid.nth(1).focus();
    await results.opened.press('ArrowDown');
    await results.opened.grid.nth(1).locator('.active-cell').waitFor();
    assert.equal(
      await results.opened.grid.nth(1).locator('.active-cell').innerText(),
      '2026-11-21T12:00:01.000Z',
    );
  });

  it('exports all rows', async () => {
    await openTable();
    await results.opened.button('Export All…').click();
    await waitUntil(() => results.host.getSent('exportResult').length > 0);
    assert.deepEqual(results.host.getSent('exportResult'), [{ result: 'result 1' }]);
  });

  it('fits into 300 pixels', async () => {
    await openTable();
    await results.opened.page.setViewportSize({ width: 300, height: 500 });
    const overflow = await results.opened.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    assert.ok(((await results.opened.grid.boundingBox())?.height ?? 0) > 150);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await openTable(theme);
      await results.opened.grid.focus();
      await results.opened.press('Enter');
      await results.opened.page.locator('.viewer-text').waitFor();
      await results.opened.button('Columns…').click();
      assert.deepEqual(await findAxeViolations(results.opened.page), []);
      results.host.rows = 0;
      results.host.status = { state: 'failed', problem: { message: 'Over.', action: 'retry' } };
      results.host.result = 'result 3';
      await results.opened.show();
      await results.opened.button('Retry').waitFor();
      assert.deepEqual(await findAxeViolations(results.opened.page), []);
    });
  }
});
