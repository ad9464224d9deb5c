import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { axeComplaints } from './support/axe';
import { FakeResultHost } from './support/fakeResultHost';
import { waitUntil } from './support/logPage';
import { bundleResults, ResultsPage } from './support/resultsPage';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, startBrowser } from './support/webviewPage';

describe('the chart of a query result', function () {
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

  async function openChart(theme?: ThemeKind): Promise<void> {
    opened = await ResultsPage.open(browser, { host, files, ...(theme && { theme }) });
    await opened.show();
    await opened.button('Chart').click();
  }

  const note = (): Locator => opened.page.locator('.chart-note');
  const cursor = (): Locator => opened.page.locator('.chart-cursor');
  const plot = (): Locator => opened.page.locator('.plot-area');
  const picker = (name: string): Locator => opened.page.getByRole('combobox', { name });
  const figures = (): Locator => opened.page.getByRole('table', { name: 'The chart in numbers' });
  const lastAsked = (): unknown => host.sentOf('chartResult').at(-1);

  it('draws the first number over time at once, in words and figures as well', async () => {
    await openChart();
    await note()
      .getByText(
        '300 points of 300 rows, from 2026-11-21T12:00:00.000Z to 2026-11-21T12:04:59.000Z',
      )
      .waitFor();
    assert.deepEqual(lastAsked(), { result: 'result 1', kind: 'line', x: 'c0', y: ['c2'] });
    assert.match(
      await figures().getByRole('row').nth(1).innerText(),
      /^A\s+data\.readings\.celsius\s+300\s+20\s+29\s+24\.5\s+20\s+23$/,
    );
    await plot().focus();
    await opened.press('Home', 'ArrowRight');
    const text = '2026-11-21T12:00:01.000Z · A data.readings.celsius: 27';
    await cursor().getByText(text).waitFor();
    assert.equal((await opened.said()).at(-1), text);
  });

  it('draws bars of texts, one for each value of a column', async () => {
    await openChart();
    await picker('Draw as').selectOption('Bars');
    await note()
      .getByText(/^300 numbers of 300 rows as bars · Of rows with the same bar/)
      .waitFor();
    assert.deepEqual(lastAsked(), { result: 'result 1', kind: 'bar', x: 'c1', y: ['c2'] });
    await picker('One for each').selectOption('part_id');
    await figures().getByRole('row').nth(3).waitFor();
    await plot().focus();
    await opened.press('Home');
    await cursor().getByText('part-0 · A part-0: 29').waitFor();
    assert.equal(await figures().locator('canvas').count(), 3);
  });

  it('draws one bar alone in the middle', async () => {
    host.row = () => ({ name: 'only', volts: 12 });
    await openChart();
    await picker('Draw as').selectOption('Bars');
    await note()
      .getByText(/as bars/)
      .waitFor();
    await plot().focus();
    await opened.press('Home');
    await cursor().getByText('only · A volts: 12').waitFor();
    const [over, line] = await Promise.all(
      ['.u-over', '.u-cursor-x'].map((name) => opened.page.locator(name).boundingBox()),
    );
    assert.ok(over && line && Math.abs(over.x + over.width / 2 - line.x) < 2);
  });

  it('draws points of one number over another', async () => {
    host.row = (number) => ({ volts: number / 10, amperes: number % 7, name: `n${number % 3}` });
    await openChart();
    await picker('Draw as').selectOption('Points');
    await picker('Across').selectOption('amperes');
    await note().getByText('300 points of 300 rows, from 0 to 6').waitFor();
    assert.deepEqual(lastAsked(), { result: 'result 1', kind: 'scatter', x: 'c1', y: ['c0'] });
    await plot().focus();
    await opened.press('End');
    await cursor().getByText('6 · A volts: 29.3').waitFor();
    await opened.press('ArrowLeft');
    await cursor().getByText('6 · A volts: 28.6').waitFor();
  });

  it('draws numbers by the rows they are of, counted from 1', async () => {
    host.row = (number) => ({ volts: number });
    await openChart();
    await note().getByText('300 points of 300 rows, from 1 to 300').waitFor();
    await plot().focus();
    await opened.press('Home');
    await cursor().getByText('1 · A volts: 0').waitFor();
  });

  it('draws several columns, and none when none is chosen', async () => {
    host.row = (number) => ({ volts: number, amperes: number % 7 });
    await openChart();
    await note()
      .getByText(/^300 points/)
      .waitFor();
    await opened.button('Choose Columns…').click();
    await opened.page.getByRole('checkbox', { name: 'amperes' }).press('Space');
    await note()
      .getByText(/^600 points/)
      .waitFor();
    await opened.page.getByRole('checkbox', { name: 'amperes' }).press('Space');
    await opened.page.getByRole('checkbox', { name: 'volts' }).press('Space');
    await note().getByText('Choose which numbers to draw.').waitFor();
    await opened.press('Escape');
    assert.ok(await plot().evaluate((element) => element === document.activeElement));
  });

  it('zooms by keyboard and by dragging, and shows everything again', async () => {
    await openChart();
    await note()
      .getByText(/^300 points/)
      .waitFor();
    assert.equal(await opened.button('Show Everything').count(), 0);
    await plot().focus();
    await opened.press('+');
    await opened.button('Show Everything').click();
    assert.equal(await opened.button('Show Everything').count(), 0);
    const box = await opened.page.locator('.u-over').boundingBox();
    assert.ok(box);
    await opened.page.mouse.move(box.x + 100, box.y + 50);
    await opened.page.mouse.down();
    await opened.page.mouse.move(box.x + 200, box.y + 50, { steps: 4 });
    await opened.page.mouse.up();
    await opened.button('Show Everything').waitFor();
  });

  it('offers to draw again when rows have come, and does so when all are there', async () => {
    host.status = { state: 'running' };
    await openChart();
    await note()
      .getByText(/^300 points of 300 rows/)
      .waitFor();
    host.rows = 400;
    host.tell();
    await opened.button('Draw Again').click();
    await note()
      .getByText(/^400 points of 400 rows/)
      .waitFor();
    host.rows = 500;
    host.status = {};
    host.tell();
    await note()
      .getByText(/^500 points of 500 rows/)
      .waitFor();
    assert.equal(await opened.button('Draw Again').count(), 0);
  });

  it('saves a picture with the names of what is drawn', async () => {
    await openChart();
    await opened.button('Save Picture…').click();
    await waitUntil(() => host.sentOf('saveChart').length > 0);
    const [{ png }] = host.sentOf('saveChart') as readonly [{ png: ArrayBuffer }];
    assert.deepEqual([...new Uint8Array(png, 1, 3)], [...Buffer.from('PNG')]);
    const [width, height] = [16, 20].map((at) => new DataView(png).getUint32(at));
    assert.ok(width === 984, `${width} wide`);
    assert.ok((height ?? 0) > 200, `${height} high`);
  });

  it('says when there are no numbers to draw', async () => {
    host.row = () => ({ text: 'none' });
    await openChart();
    await note().getByText('There are no numbers in the rows that came.').waitFor();
  });

  it('draws what was found and sorted, and keeps what was chosen for the next result', async () => {
    await openChart();
    await picker('Draw as').selectOption('Bars');
    await opened.find.fill('part-1');
    await opened.find.press('Enter');
    await note()
      .getByText(/^100 numbers of 100 rows as bars/)
      .waitFor();
    host.result = 'result 2';
    host.rows = 60;
    await opened.show();
    await note()
      .getByText(/^20 numbers of 20 rows as bars/)
      .waitFor();
    assert.equal(await picker('Draw as').inputValue(), 'bar');
  });

  for (const theme of themeKinds) {
    it(`has no fault that axe finds in ${theme}`, async () => {
      await openChart(theme);
      await picker('One for each').selectOption('part_id');
      await figures().getByRole('row').nth(3).waitFor();
      assert.deepEqual(await axeComplaints(opened.page), []);
    });
  }
});
