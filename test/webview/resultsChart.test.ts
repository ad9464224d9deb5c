import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { resultsSuite } from './support/resultsSuite';
import { type ThemeKind, themeKinds } from './support/themes';

describe('the chart of a query result', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  async function openChart(theme?: ThemeKind): Promise<void> {
    await results.open({ theme });
    await results.opened.button('Chart').click();
  }

  const note = (): Locator => results.opened.page.locator('.chart-note');
  const cursor = (): Locator => results.opened.page.locator('.chart-cursor');
  const plot = (): Locator => results.opened.page.locator('.plot-area');
  const picker = (name: string): Locator => results.opened.page.getByRole('combobox', { name });
  const figures = (): Locator => results.opened.page.getByRole('table', { name: 'Chart values' });
  /** Returns the position of the cursor line within the plot, from 0 to 1. */
  const cursorLine = async (): Promise<number> => {
    const [over, line] = await Promise.all(
      ['.u-over', '.u-cursor-x'].map((name) => results.opened.page.locator(name).boundingBox()),
    );
    assert.ok(over && line);
    return (line.x - over.x) / over.width;
  };
  const getLastRequest = (): unknown => results.host.getSent('chartResult').at(-1);

  it('draws the first number over time immediately, also as text and figures', async () => {
    await openChart();
    await note()
      .getByText(
        '300 points in 300 rows, from 11/21/2026, 12:00:00.000 UTC to 11/21/2026, 12:04:59.000 UTC',
      )
      .waitFor();
    assert.deepEqual(getLastRequest(), { result: 'result 1', kind: 'line', x: 'c0', y: ['c2'] });
    assert.match(
      await figures().getByRole('row').nth(1).innerText(),
      /^A\s+data\.readings\.celsius\s+300\s+20\s+29\s+24\.5\s+20\s+23$/,
    );
    await plot().focus();
    await results.opened.press('Home', 'ArrowRight');
    const text = '11/21/2026, 12:00:01.000 UTC · A data.readings.celsius: 27';
    await cursor().getByText(text).waitFor();
    assert.equal((await results.opened.getAnnouncements()).at(-1), text);
  });

  it('draws bars of texts, one for each value of a column', async () => {
    await openChart();
    await picker('Chart type').selectOption('Bars');
    await note()
      .getByText('3 bars showing 300 numbers from 300 rows · Numbers in the same bar are added up')
      .waitFor();
    assert.deepEqual(getLastRequest(), { result: 'result 1', kind: 'bar', x: 'c1', y: ['c2'] });
    await picker('Split into series by').selectOption('part_id');
    await figures().getByRole('row').nth(3).waitFor();
    await plot().focus();
    await results.opened.press('Home');
    await cursor().getByText('part-0 · A part-0: 2,450').waitFor();
    assert.equal(await figures().locator('canvas').count(), 3);
  });

  it('draws a single bar in the middle', async () => {
    results.host.row = () => ({ name: 'only', volts: 12 });
    await openChart();
    await picker('Chart type').selectOption('Bars');
    await note()
      .getByText(/^1 bar showing 300 numbers/)
      .waitFor();
    await plot().focus();
    await results.opened.press('Home');
    await cursor().getByText('only · A volts: 3,600').waitFor();
    assert.ok(Math.abs((await cursorLine()) - 0.5) < 0.005);
  });

  it('draws points of one number over another', async () => {
    results.host.row = (number) => ({
      volts: number / 10,
      amperes: number % 7,
      name: `n${number % 3}`,
    });
    await openChart();
    await picker('Chart type').selectOption('Points');
    await picker('X-axis').selectOption('amperes');
    await note().getByText('300 points in 300 rows, from 0 to 6').waitFor();
    assert.deepEqual(getLastRequest(), { result: 'result 1', kind: 'scatter', x: 'c1', y: ['c0'] });
    await plot().focus();
    await results.opened.press('End');
    await cursor().getByText('6 · A volts: 29.3').waitFor();
    await results.opened.press('ArrowLeft');
    await cursor().getByText('6 · A volts: 28.6').waitFor();
    await results.opened.press('+', 'ArrowLeft');
    await cursor().getByText('6 · A volts: 27.9').waitFor();
  });

  it('draws a line for each text if one line would go back and forth', async () => {
    const hour = (number: number): Date => new Date(Date.UTC(2026, 10, 21, Math.floor(number / 3)));
    results.host.row = (number) => ({
      hour: hour(number),
      component: `c${number % 3}`,
      readings: number,
    });
    await openChart();
    await note()
      .getByText(/^300 points/)
      .waitFor();
    const expectedRequest = { result: 'result 1', kind: 'line', x: 'c0', y: ['c2'] };
    assert.deepEqual(getLastRequest(), { ...expectedRequest, series: 'c1' });
    assert.equal(await picker('Split into series by').inputValue(), 'component');
    assert.equal(await figures().getByRole('row').count(), 4);
    await picker('Split into series by').selectOption('');
    await figures().getByRole('row').nth(2).waitFor({ state: 'detached' });
    assert.deepEqual(getLastRequest(), expectedRequest);
    assert.equal(await picker('Split into series by').inputValue(), '');
  });

  it('draws numbers by their row numbers, starting with 1', async () => {
    results.host.row = (number) => ({ volts: number });
    await openChart();
    await note().getByText('300 points in 300 rows, from 1 to 300').waitFor();
    await plot().focus();
    await results.opened.press('Home');
    await cursor().getByText('1 · A volts: 0').waitFor();
  });

  it('draws several columns, and none if none is selected', async () => {
    results.host.row = (number) => ({ volts: number, amperes: number % 7 });
    await openChart();
    await note()
      .getByText(/^300 points/)
      .waitFor();
    await results.opened.button('Select Columns…').click();
    await results.opened.page.getByRole('checkbox', { name: 'amperes' }).press('Space');
    await note()
      .getByText(/^600 points/)
      .waitFor();
    await results.opened.page.getByRole('checkbox', { name: 'amperes' }).press('Space');
    await results.opened.page.getByRole('checkbox', { name: 'volts' }).press('Space');
    await note().getByText('Select the numbers to chart.').waitFor();
    await results.opened.press('Escape');
    assert.ok(await plot().evaluate((element) => element === document.activeElement));
  });

  it('zooms with keyboard and mouse, and resets the zoom', async () => {
    await openChart();
    await note()
      .getByText(/^300 points/)
      .waitFor();
    assert.equal(await results.opened.button('Show Everything').count(), 0);
    await plot().focus();
    await results.opened.press('-');
    assert.equal(await results.opened.button('Show Everything').count(), 0);
    await results.opened.press('+');
    await results.opened.button('Show Everything').click();
    assert.equal(await results.opened.button('Show Everything').count(), 0);
    assert.ok(await plot().evaluate((element) => element === document.activeElement));
    const box = await results.opened.page.locator('.u-over').boundingBox();
    assert.ok(box);
    await results.opened.page.mouse.move(box.x + 100, box.y + 50);
    await results.opened.page.mouse.down();
    await results.opened.page.mouse.move(box.x + 200, box.y + 50, { steps: 4 });
    await results.opened.page.mouse.up();
    await results.opened.button('Show Everything').waitFor();
    await results.opened.page.locator('.u-over').dblclick();
    await results.opened.button('Show Everything').waitFor({ state: 'hidden' });
  });

  it('preserves the width of bars when the cursor moves and in another theme', async () => {
    results.host.row = (number) => ({ name: `bar ${number % 20}`, volts: 1 });
    await openChart();
    await picker('Chart type').selectOption('Bars');
    await note()
      .getByText(/^20 bars/)
      .waitFor();
    await plot().focus();
    await results.opened.press('Home', ...Array<string>(9).fill('ArrowRight'), '+');
    await results.opened.press('ArrowRight');
    const before = await cursorLine();
    await results.opened.press('ArrowRight', 'ArrowLeft');
    for (const theme of ['vscode-high-contrast', 'vscode-light']) {
      await results.opened.page.evaluate((name) => document.body.classList.add(name), theme);
      await results.opened.page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.ok(Math.abs((await cursorLine()) - before) < 0.005);
    await results.opened.button('Show Everything').waitFor();
  });

  it('offers a redraw when rows arrive, and redraws when all are complete', async () => {
    results.host.status = { state: 'running' };
    await openChart();
    await note()
      .getByText(/^300 points in 300 rows/)
      .waitFor();
    results.host.rows = 400;
    results.host.notifyStatus();
    await results.opened.button('Redraw').click();
    await note()
      .getByText(/^400 points in 400 rows/)
      .waitFor();
    results.host.rows = 500;
    results.host.status = {};
    results.host.notifyStatus();
    await note()
      .getByText(/^500 points in 500 rows/)
      .waitFor();
    assert.equal(await results.opened.button('Redraw').count(), 0);
  });

  it('counts all drawn rows, including unannounced ones', async () => {
    results.host.status = { state: 'running' };
    await results.open();
    await results.opened.cell('reading 0').waitFor();
    results.host.rows = 350;
    await results.opened.button('Chart').click();
    await note()
      .getByText(/^350 points in 350 rows/)
      .waitFor();
  });

  it('saves an image with the names of the drawn columns', async () => {
    await openChart();
    await results.opened.button('Save Image…').click();
    await waitUntil(() => results.host.getSent('saveChart').length > 0);
    const [{ png }] = results.host.getSent('saveChart') as readonly [{ png: ArrayBuffer }];
    assert.deepEqual([...new Uint8Array(png, 1, 3)], [...Buffer.from('PNG')]);
    const [width, height] = [16, 20].map((at) => new DataView(png).getUint32(at));
    assert.ok(width === 984, `${width} wide`);
    assert.ok((height ?? 0) > 200, `${height} high`);
  });

  it('reports that there are no numbers to draw', async () => {
    results.host.row = () => ({ text: 'none' });
    await openChart();
    await note().getByText('The loaded rows contain no numbers.').waitFor();
  });

  it('draws matching and sorted rows, and preserves the settings for the next result', async () => {
    await openChart();
    await picker('Chart type').selectOption('Bars');
    await results.opened.find.fill('part-1');
    await results.opened.find.press('Enter');
    await note()
      .getByText(/^1 bar showing 100 numbers from 100 rows.* · Charting 100 of 300 rows$/)
      .waitFor();
    results.host.result = 'result 2';
    results.host.rows = 60;
    await results.opened.show();
    await note()
      .getByText(/^1 bar showing 20 numbers from 20 rows/)
      .waitFor();
    assert.equal(await picker('Chart type').inputValue(), 'bar');
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await openChart(theme);
      await picker('Split into series by').selectOption('part_id');
      await figures().getByRole('row').nth(3).waitFor();
      assert.deepEqual(await findAxeViolations(results.opened.page), []);
    });
  }
});
