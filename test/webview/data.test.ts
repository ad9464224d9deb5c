import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { type AppFiles, bundleApp, startBrowser } from './support/webviewPage';

describe('the data panel in a browser', function () {
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
  });

  afterEach(async () => {
    const { complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(): Promise<void> {
    opened = await DataPage.open(browser, { host, files });
  }

  it('shows how much each tab has', async () => {
    host.counts = { images: 12_345, pointClouds: 0, files: undefined, readings: 7 };
    await open();
    assert.match(await opened.tab('images').innerText(), /Images\s*12,345/);
    assert.match(await opened.tab('readings').innerText(), /Readings\s*7/);
  });
});
