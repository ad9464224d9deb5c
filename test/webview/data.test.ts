import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { DataTab } from '../../src/shared/data/dataPanel';
import { waitUntil } from '../support/waitUntil';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, bundleApp } from './support/webviewPage';

describe('the data panel in a browser', function () {
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
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(): Promise<void> {
    opened = await DataPage.open(browser, { host, files });
  }

  it('shows the number of items in each tab', async () => {
    host.counts = { images: 12_345, pointClouds: 0, files: undefined, readings: 7 };
    await open();
    assert.match(await opened.tab('images').innerText(), /Images\s*12,345/);
    assert.match(await opened.tab('readings').innerText(), /Readings\s*7/);
  });

  it('offers to upload files if nothing was captured', async () => {
    host.counts = { images: 0, pointClouds: 0, files: 0, readings: 0 };
    await open();
    await opened.page.getByText('Nothing has been captured here yet.').waitFor();
    await opened.page.locator('.board-state').getByRole('button', { name: 'Upload' }).click();
    await waitUntil(() => host.getSent('chooseFiles').length === 1);
  });

  it('offers to clear a filter without matches', async () => {
    host.counts = { images: 0, pointClouds: 0, files: 0, readings: 0 };
    host.filter = { ...host.filter, tags: ['defect'] };
    await open();
    await opened.page.getByText('No items match the filter.').waitFor();
    await opened.button('Clear Filter').click();
    await opened.page.getByText('Nothing has been captured here yet.').waitFor();
    assert.deepEqual(host.filter.tags, []);
  });

  it('shows why a tab cannot be counted, and retries', async () => {
    host.counts = { images: undefined, pointClouds: 0, files: 0, readings: 0 };
    await open();
    await opened.page.getByText("Couldn't count the items: The service does not answer.").waitFor();
    host.counts.images = 0;
    await opened.button('Retry').click();
    await opened.page.locator('.frame-state').waitFor({ state: 'detached' });
    await opened
      .tab('images')
      .filter({ hasText: /Images\s*0/ })
      .waitFor();
  });

  it('shows that the service does not respond, and counts again after that', async () => {
    host.counts = { images: undefined, pointClouds: 0, files: 0, readings: 0 };
    await open();
    await opened.page.getByText("Couldn't count the items: The service does not answer.").waitFor();
    const text = "The service isn't responding. Saves continue when it responds again.";
    opened.webview.notify('silenceChanged', { text });
    const notice = opened.page.getByRole('status').filter({ hasText: text });
    await notice.waitFor();
    host.counts.images = 12;
    opened.webview.notify('silenceChanged', {});
    await notice.waitFor({ state: 'detached' });
    await opened
      .tab('images')
      .filter({ hasText: /Images\s*12/ })
      .waitFor();
  });

  it('offers to start the local fleet if a tab cannot be counted without it', async () => {
    host.counts = { images: undefined, pointClouds: 0, files: 0, readings: 0 };
    host.recovery = 'startLocalFleet';
    await open();
    await opened.button('Start Local Fleet').click();
    await waitUntil(() => host.getSent('startLocalFleet').length === 1);
    host.counts.images = 0;
    host.apply();
    await opened.page.locator('.frame-state').waitFor({ state: 'detached' });
  });

  it('offers to sign in while signed out, and continues after that', async () => {
    await open();
    const problem = 'You are signed out.';
    opened.webview.notify('problemChanged', { problem, recovery: 'signIn' });
    await opened.page.getByText(problem).waitFor();
    await opened.button('Sign In').click();
    await waitUntil(() => host.getSent('signIn').length === 1);
    opened.webview.notify('problemChanged', {});
    host.apply();
    await opened.page.locator('.frame-state').waitFor({ state: 'detached' });
  });

  it('reloads after a change unless items are selected', async () => {
    host.counts = { images: 3, pointClouds: 0, files: 0, readings: 0 };
    await open();
    opened.webview.notify('outdated', { generation: 1, tabs: ['images'] });
    await waitUntil(() => host.generation === 2);
    // Refreshing clears the selection.
    await opened.webview.waitUntilIdle();
    await opened.button('Select All').click();
    opened.webview.notify('recounted', { generation: 2, tab: 'images', count: 2 });
    opened.webview.notify('outdated', { generation: 2, tabs: ['images'] });
    const notice = opened.page.locator('.change-notice');
    await notice.getByText('Data has changed. Other items might match now.').waitFor();
    assert.match(await opened.tab('images').innerText(), /Images\s*2/);
    assert.equal(host.generation, 2);
    await notice.getByRole('button', { name: 'Refresh' }).click();
    await waitUntil(() => host.generation === 3);
    await notice.waitFor({ state: 'hidden' });
  });

  it('preserves the visible tab if another tab has changed, and offers a refresh', async () => {
    await open();
    opened.webview.notify('outdated', { generation: 1, tabs: ['readings'] });
    const notice = opened.page.locator('.change-notice');
    await notice.getByRole('button', { name: 'Refresh' }).waitFor();
    await opened.webview.waitUntilIdle();
    assert.equal(host.generation, 1);
  });

  it('shows the tab of a view that is opened in it', async () => {
    await open();
    opened.webview.notify('tabOpened', { tab: 'files' });
    await opened.page.locator('#tab-files[aria-selected="true"]').waitFor();
    await waitUntil(() => host.getSent('setTab').length === 1);
    assert.deepEqual(host.getSent('setTab'), [{ tab: 'files' }]);
  });

  it('switches tabs with the arrow keys', async () => {
    await open();
    await opened.tab('images').focus();
    for (const name of ['pointClouds', 'files', 'readings', 'images', 'readings'] as const) {
      const key = name === 'readings' && (await isChosen('images')) ? 'ArrowLeft' : 'ArrowRight';
      await opened.page.keyboard.press(key);
      await opened.page.locator(`#tab-${name}[aria-selected="true"]`).waitFor();
    }
    await waitUntil(() => host.getSent('setTab').length === 5);
  });

  const isChosen = async (name: DataTab): Promise<boolean> =>
    (await opened.tab(name).getAttribute('aria-selected')) === 'true';
});
