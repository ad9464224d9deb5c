import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { resultsSuite } from './support/resultsSuite';
import { type ThemeKind, themeKinds } from './support/themes';

const CELSIUS = 'data.readings.celsius';

describe('filtering a query result by its columns', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  async function openTable(theme?: ThemeKind, state?: unknown): Promise<void> {
    await results.open({ theme, state });
    await results.opened.cell('reading 0').waitFor();
  }

  const box = (name: string): Locator => {
    const { page } = results.opened;
    return page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name }));
  };

  async function filterBy(column: string, condition: string, ...values: string[]): Promise<void> {
    const { opened } = results;
    await opened.button('Filter…').click();
    await box('Column').selectOption(column);
    await box('Condition').selectOption(condition);
    for (const [index, value] of values.entries()) {
      await box(index === 0 ? 'Value' : 'Up to').fill(value);
    }
    await opened.button('Apply').click();
  }

  it('shows matching rows with the keyboard, and their number', async () => {
    await openTable();
    const { opened } = results;
    await opened.grid.focus();
    await opened.press('ArrowRight', 'ArrowRight', 'Alt+ArrowDown');
    assert.equal(await box('Column').inputValue(), CELSIUS);
    await box('Condition').selectOption('is above');
    await box('Value').fill('26');
    await opened.press('Enter');
    await opened.status.getByText('Showing 90 of 300 rows that match the filter').waitFor();
    assert.doesNotMatch(await opened.status.innerText(), /all/);
    assert.ok(await opened.grid.evaluate((grid) => grid === document.activeElement));
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '91');
    assert.match((await opened.getAnnouncements()).at(-1) ?? '', /^Showing 90 of 300 rows/);
    const header = opened.page.getByRole('columnheader', { name: CELSIUS });
    await header.getByText('Filtered').waitFor();
    assert.equal(await opened.filters.innerText(), `${CELSIUS} > 26\n✕`);
  });

  it('starts a filter with the condition for the type of its column', async () => {
    await openTable();
    await results.opened.button('Filter…').click();
    const conditions: string[] = [];
    for (const column of ['time_received', 'part_id', CELSIUS, 'data.readings.note']) {
      await box('Column').selectOption(column);
      conditions.push(await box('Condition').inputValue());
    }
    assert.deepEqual(conditions, ['atLeast', 'contains', 'equals', 'contains']);
  });

  it('combines several filters, a text search, and a sort', async () => {
    await openTable();
    const { opened, host } = results;
    await filterBy(CELSIUS, 'is between', '22', '24');
    await filterBy('part_id', 'is', 'PART-1');
    await opened.find.fill('reading 2');
    await opened.find.press('Enter');
    await opened.page.getByRole('columnheader', { name: 'data.readings.note' }).click();
    await opened.status.getByText(/that match the filter and contain "reading 2"/).waitFor();
    await opened.status.getByText('Sorted by data.readings.note').waitFor();
    const request = host.getSent('arrangeResult').at(-1);
    assert.deepEqual(request, {
      result: 'result 1',
      find: 'reading 2',
      sort: { column: 'c3', descending: false },
      filters: [
        { column: 'c2', condition: 'between', value: '22', upTo: '24' },
        { column: 'c1', condition: 'equals', value: 'PART-1' },
      ],
    });
    await opened.button('Remove the filter: part_id is "PART-1"').click();
    await opened.status.getByText(/^Showing 34 of 300/).waitFor();
  });

  it('draws and copies the visible rows, and exports all rows with a hint', async () => {
    await openTable();
    const { opened, host } = results;
    await filterBy('part_id', 'is not', 'part-0');
    await opened.status.getByText(/^Showing 200 of 300 rows/).waitFor();
    await opened.grid.focus();
    await opened.press('Control+a', 'Control+c');
    await opened.button('Export All…').click();
    await waitUntil(() => host.getSent('exportResult').length > 0);
    const filters = [{ column: 'c1', condition: 'equalsNot', value: 'part-0' }];
    const columns = ['c0', 'c1', 'c2', 'c3'];
    assert.deepEqual(host.getSent('copyResult'), [
      { result: 'result 1', filters, start: 0, end: 200, columns, format: 'tsv' },
    ]);
    assert.deepEqual(host.getSent('exportResult'), [{ result: 'result 1', filters }]);
    await opened.button('Chart').click();
    await opened.page.getByText('Charting 200 of 300 rows').waitFor();
  });

  it('reports that no row matches, and shows all again', async () => {
    await openTable();
    const { opened } = results;
    await filterBy(CELSIUS, 'is empty');
    await opened.page.getByText('No rows match the filter.').waitFor();
    await opened.button('Clear Filters').click();
    await opened.cell('reading 0').waitFor();
    assert.equal(await opened.status.innerText(), 'Showing all 300 rows');
    assert.equal(await opened.filters.count(), 0);
  });

  it('retries a failed filter while the filters are set', async () => {
    await openTable();
    const { opened, host } = results;
    host.failures.set('arrangeResult', new FleetError('unavailable', 'No room.'));
    await filterBy(CELSIUS, 'is above', '26');
    await opened.page.getByText("Couldn't read the result. No room.").waitFor();
    await opened.button('Retry').click();
    await opened.status.getByText(/^Showing 90 of 300 rows/).waitFor();
  });

  it('requires a missing value, and changes nothing on Escape', async () => {
    await openTable();
    const { opened, host } = results;
    await opened.button('Filter…').click();
    await opened.button('Apply').click();
    await opened.page.getByRole('alert').getByText('Enter a value to compare with.').waitFor();
    assert.ok(await box('Value').evaluate((one) => one === document.activeElement));
    await opened.press('Escape');
    assert.ok(await opened.grid.evaluate((grid) => grid === document.activeElement));
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('arrangeResult'), []);
  });

  it('rejects an invalid time in a comparison', async () => {
    await openTable();
    const { opened, host } = results;
    await filterBy(CELSIUS, 'is between', '2026-02-01', '2026-02-30');
    await opened.page.getByRole('alert').getByText('"2026-02-30" is not a valid time.').waitFor();
    assert.ok(await box('Up to').evaluate((one) => one === document.activeElement));
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('arrangeResult'), []);
    await box('Up to').fill('2026-02-28 24:30');
    await opened.press('Enter');
    await opened.page
      .getByRole('alert')
      .getByText('"2026-02-28 24:30" is not a valid time.')
      .waitFor();
    await box('Up to').fill('2026-02-28');
    await opened.press('Enter');
    await opened.filters.getByText(`${CELSIUS} from 2026-02-01 to 2026-02-28`).waitFor();
  });

  it('treats a serial number as text, even if it starts like a date', async () => {
    await openTable();
    await filterBy(CELSIUS, 'is at most', '4711-99-1234');
    await results.opened.filters.getByText(`${CELSIUS} ≤ 4711-99-1234`).waitFor();
  });

  it('preserves filters after a reload for results with their columns', async () => {
    await openTable();
    await filterBy(CELSIUS, 'is at most', '21');
    await results.opened.status.getByText(/^Showing 60 of 300/).waitFor();
    const state = await results.opened.webview.state();
    await results.opened.close();
    results.host.result = 'result 2';
    await results.open({ state });
    const { opened, host } = results;
    await opened.status.getByText(/^Showing 60 of 300/).waitFor();
    host.result = 'result 3';
    host.row = (number) => ({ note: `other ${number}` });
    await opened.show();
    await opened.filters.getByText(`${CELSIUS} ≤ 21`).waitFor();
  });

  it('filters the rows that have arrived, and all of them at the end', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    const { opened, host } = results;
    await filterBy(CELSIUS, 'is below', '25');
    await opened.status.getByText(/^300 rows so far · Showing 150 of 300 rows/).waitFor();
    host.rows = 600;
    host.status = {};
    host.notifyStatus();
    await opened.status.getByText(/^Showing 300 of 600 rows/).waitFor();
  });

  it('preserves the visible rows when the last rows arrive', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    const { opened, host } = results;
    await filterBy(CELSIUS, 'is below', '25');
    await opened.status.getByText(/Showing 150 of 300 rows/).waitFor();
    await opened.press('PageDown', 'PageDown', 'Shift+ArrowDown');
    await opened.status.getByText('2 rows selected').waitFor();
    const active = await opened.active.getAttribute('id');
    host.rows = 600;
    host.status = {};
    host.notifyStatus();
    await opened.status.getByText(/^Showing 300 of 600 rows.* 2 rows selected$/).waitFor();
    assert.equal(await opened.active.getAttribute('id'), active);
    assert.equal(await opened.grid.getAttribute('aria-rowcount'), '301');
  });

  it('announces to screen readers only visible rows when the query is complete', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    const { opened, host } = results;
    await filterBy(CELSIUS, 'is below', '25');
    await opened.status.getByText(/Showing 150 of 300 rows/).waitFor();
    host.status = {};
    host.notifyStatus();
    await opened.status.getByText(/^Showing 150 of 300 rows/).waitFor();
    assert.match((await opened.getAnnouncements()).at(-1) ?? '', /^Showing 150 of 300 rows/);
    host.rows = 600;
    host.status = { state: 'running' };
    host.notifyStatus();
    host.beforeArranging = () => opened.status.getByText(/^Filtering…$/).waitFor();
    host.status = {};
    host.notifyStatus();
    await opened.status.getByText(/^Showing 300 of 600 rows/).waitFor();
    assert.ok((await opened.getAnnouncements()).every((text) => !text.includes('Showing all')));
  });

  it('never shows more rows than their number when unannounced rows arrive', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    const { opened, host } = results;
    host.rows = 600;
    await filterBy(CELSIUS, 'is below', '28');
    await opened.status.getByText(/Showing 480 of 600 rows/).waitFor();
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await openTable(theme);
      await filterBy(CELSIUS, 'is above', '26');
      await results.opened.status.getByText(/^Showing 90 of 300/).waitFor();
      await results.opened.button('Filter…').click();
      assert.deepEqual(await findAxeViolations(results.opened.page), []);
    });
  }
});
