import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { FakeResultHost } from './support/fakeResultHost';
import { NotebookPage } from './support/notebookPage';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

describe('results in the outputs of a notebook', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeResultHost;
  let opened: NotebookPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('queryNotebook')]);
  });

  beforeEach(() => {
    host = new FakeResultHost();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(theme?: ThemeKind): Promise<void> {
    opened = await NotebookPage.open(browser, host, files, { theme });
    await opened.render(host.result);
    await opened.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
  }

  it('show their rows, and do not change the other outputs', async () => {
    await open();
    assert.equal(await opened.page.locator('.status-text').innerText(), 'Showing all 300 rows');
    const [margin, cursor] = await opened.page.evaluate(() => [
      getComputedStyle(document.body).margin,
      getComputedStyle(document.querySelector('h1.tool') ?? document.body).cursor,
    ]);
    assert.deepEqual([margin, cursor], ['7px', 'auto']);
  });

  it('draw charts, whose bytes are sent as text', async () => {
    await open();
    await opened.page.getByRole('button', { name: 'Chart', exact: true }).click();
    await opened.page.getByText(/points in .* rows/).waitFor();
  });

  it('are not rendered again when only the text of their output changes', async () => {
    await open();
    await opened.page.evaluate(() =>
      document.querySelector('.results')?.setAttribute('id', 'same'),
    );
    await opened.render(host.result);
    assert.equal(await opened.page.locator('#same').count(), 1);
    host.result = 'result 2';
    await opened.render(host.result);
    await opened.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
    assert.equal(await opened.page.locator('#same').count(), 0);
    assert.equal(await opened.page.locator('.results').count(), 1);
  });

  it('ignore messages to other pages', async () => {
    await open();
    host.rows = 5;
    host.notify = () => undefined;
    const status = {
      result: host.result,
      state: 'complete',
      rows: 5,
      bytes: 1,
      elapsedMs: 1,
      columns: 4,
      hasOverflow: false,
    };
    const message = { type: 'notification', method: 'resultChanged', params: status };
    await opened.send(message, 'another page');
    assert.equal(await opened.page.locator('.status-text').innerText(), 'Showing all 300 rows');
    await opened.send(message);
    await opened.page.getByText('Showing all 5 rows').waitFor();
  });

  it('handle their own keys, and pass on the others', async () => {
    await open();
    await opened.page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'End', 'F8']) await opened.page.keyboard.press(key);
    assert.deepEqual(await opened.passedKeys(), ['F8']);
  });

  it('need no more space than a few rows', async () => {
    host.rows = 2;
    await open();
    const box = await opened.page.locator('.fleetwright-output').boundingBox();
    assert.ok(box && box.height < 200, JSON.stringify(box));
  });

  it('grow with their rows and opened values up to a limit', async () => {
    host.rows = 6;
    host.status = { state: 'running' };
    await open();
    const height = async (): Promise<number> =>
      (await opened.page.locator('.fleetwright-output').boundingBox())?.height ?? NaN;
    const body = opened.page.locator('.data-rows');
    // Rows are drawn in the next frame.
    await waitUntil(() => body.evaluate((one) => one.clientHeight >= one.scrollHeight));
    const short = await height();
    host.rows = 10;
    host.notifyStatus();
    await opened.page.getByText('10 rows so far').waitFor();
    await waitUntil(async () => (await height()) === short + 4 * 22);
    await opened.page.getByRole('grid').focus();
    await opened.page.keyboard.press('Enter');
    await opened.page.locator('.viewer-text').waitFor();
    await waitUntil(async () => (await height()) === 420);
    await opened.page.keyboard.press('Escape');
    host.rows = 900;
    host.notifyStatus();
    await opened.page.getByText('900 rows so far').waitFor();
    await waitUntil(async () => (await height()) === 420);
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      await open(theme);
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
