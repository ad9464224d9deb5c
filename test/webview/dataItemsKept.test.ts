import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { type AppFiles, bundleApp, startBrowser } from './support/webviewPage';

/** VS Code forgets a panel that goes out of sight, and makes it anew. */
describe('an item that is shown large when the panel comes back', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeDataHost;
  let opened: DataPage;

  before(async () => {
    [browser, files] = await Promise.all([startBrowser(), bundleApp('data')]);
  });

  after(() => browser.close());

  beforeEach(() => {
    host = new FakeDataHost();
    host.counts = { images: 0, pointClouds: 0, files: 300, readings: 0 };
    host.start = { tab: 'files' };
  });

  afterEach(() => opened.close());

  async function open(state?: unknown): Promise<void> {
    opened = await DataPage.open(browser, { host, files, state });
  }

  async function comeBack(): Promise<void> {
    const state = await opened.webview.state();
    await opened.close();
    await open(state);
  }

  const position = (text: string) => opened.page.locator('.detail-bar').getByText(text);

  async function openItem(place: number): Promise<void> {
    await opened.page.locator(`#item-${place}`).dblclick();
    await position(`${place + 1} of 300`).waitFor();
  }

  it('is shown again, the one that a person went on to', async () => {
    await open();
    await openItem(2);
    await opened.page.keyboard.press('PageDown');
    await position('4 of 300').waitFor();
    await comeBack();
    await position('4 of 300').waitFor();
  });

  it('is found behind what came meanwhile', async () => {
    await open();
    await openItem(2);
    // Three newer ones.
    for (let place = 0; place < 100; place += 1) {
      host.items.set(`files-${place}`, { id: `files-${place - 3}` });
    }
    await comeBack();
    await position('6 of 300').waitFor();
  });

  it('is none once it was closed, or is gone', async () => {
    await open();
    await openItem(2);
    await opened.page.keyboard.press('Escape');
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    await openItem(2);
    host.items.set('files-2', { id: 'another' });
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    assert.equal(await opened.page.locator('.detail:visible').count(), 0);
  });

  it('leaves the keyboard to whatever has it, until that is the panel', async () => {
    await open();
    await opened.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await openItem(2);
    const isThere = () => document.activeElement?.closest('.detail') !== null;
    assert.equal(await opened.page.evaluate(isThere), false);
    await opened.page.evaluate(() => dispatchEvent(new Event('focus')));
    await opened.page.waitForFunction(isThere);
  });
});
