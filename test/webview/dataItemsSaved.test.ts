import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { waitUntil } from '../support/waitUntil';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, bundleApp } from './support/webviewPage';

/** VS Code discards hidden panels and recreates them when they are shown again. */
describe("the restored state of a data panel's items", function () {
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

  async function openItem(index: number): Promise<void> {
    await opened.page.locator(`#item-${index}`).dblclick();
    await position(`${index + 1} of 300`).waitFor();
  }

  it('includes the open item, the last one that the user went to', async () => {
    await open();
    await openItem(2);
    await opened.page.keyboard.press('PageDown');
    await position('4 of 300').waitFor();
    await comeBack();
    await position('4 of 300').waitFor();
  });

  it('finds the open item after new items were captured', async () => {
    await open();
    await openItem(2);
    // Add three newer items.
    for (let index = 0; index < 100; index += 1) {
      host.items.set(`files-${index}`, { id: `files-${index - 3}` });
    }
    await comeBack();
    await position('6 of 300').waitFor();
  });

  it('includes no open item after it was closed or deleted', async () => {
    await open();
    await openItem(2);
    await opened.page.keyboard.press('Escape');
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    await openItem(2);
    host.items.set('files-2', { id: 'another' });
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    await opened.webview.waitUntilIdle();
    assert.equal(await opened.page.locator('.detail:visible').count(), 0);
  });

  async function firstSeen(): Promise<string | undefined> {
    await opened.webview.waitUntilIdle();
    return opened.page.evaluate(() => {
      const box = document.querySelector('.board-scroller')?.getBoundingClientRect();
      const at = box && document.elementFromPoint(box.left + 40, box.top + 4);
      return at?.closest('.item-row')?.id;
    });
  }

  async function scroll(pixels: number): Promise<void> {
    const ended = opened.page.evaluate(
      () =>
        new Promise((done) => addEventListener('scrollend', done, { capture: true, once: true })),
    );
    await opened.page.locator('.board-scroller').hover();
    await opened.page.mouse.wheel(0, pixels);
    await ended;
    // The first visible item is saved once it is loaded.
    await opened.webview.waitUntilIdle();
  }

  it('scrolls to the same first item after new items were captured', async () => {
    await open();
    await opened.page.locator('#item-2').waitFor();
    await scroll(2400);
    const [, index] = /^item-(\d+)$/.exec((await firstSeen()) ?? '') ?? [];
    assert.ok(Number(index) > 50);
    for (let at = 0; at < 300; at += 1) host.items.set(`files-${at}`, { id: `files-${at - 3}` });
    await comeBack();
    await opened.page.locator(`#item-${Number(index) + 3}`).waitFor();
    assert.equal(await firstSeen(), `item-${Number(index) + 3}`);
  });

  it('stays at the start if it was there, or with another filter', async () => {
    await open();
    await opened.page.locator('#item-2').waitFor();
    await scroll(2400);
    await scroll(-5000);
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    assert.equal(await firstSeen(), 'item-0');
    await scroll(2400);
    for (let at = 0; at < 300; at += 1) host.items.set(`files-${at}`, { id: `others-${at}` });
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    assert.equal(await firstSeen(), 'item-0');
  });

  /** Waits until exactly these of the visible items are selected. */
  const selected = (...items: readonly string[]): Promise<void> =>
    waitUntil(async () => {
      const rows = opened.page.locator('.item-row[aria-selected=true]');
      const ids = await rows.evaluateAll((found) => found.map(({ id }) => id));
      return ids.sort().join() === items.join();
    });
  const selectionText = (text: string) => opened.page.locator('.selection-bar').getByText(text);

  it('includes the selected items without deleted ones', async () => {
    await open();
    await opened.page.locator('#item-2').click();
    for (const index of [5, 6, 8]) {
      await opened.page.locator(`#item-${index}`).click({ modifiers: ['ControlOrMeta'] });
    }
    await opened.webview.stateWith('files-8');
    // Add two newer items and delete item 6.
    for (let at = 0; at < 300; at += 1) {
      host.items.set(`files-${at}`, { id: `files-${at < 8 ? at - 2 : at - 1}` });
    }
    await comeBack();
    await selectionText('3 selected').waitFor();
    await selected('item-4', 'item-7', 'item-9');
    await comeBack();
    await selectionText('3 selected').waitFor();
  });

  it('is preserved when the same filter is applied again', async () => {
    await open();
    await opened.page.locator('#item-2').waitFor();
    await scroll(2400);
    const first = await firstSeen();
    const index = Number(first?.slice('item-'.length)) + 1;
    await opened.page.locator(`#item-${index}`).click();
    await selected(`item-${index}`);
    await waitUntil(() => host.getSent('identifyItems').length > 0);
    await opened.webview.waitUntilIdle();
    // Two newer items.
    for (let at = 0; at < 300; at += 1) host.items.set(`files-${at}`, { id: `files-${at - 2}` });
    host.apply();
    await selected(`item-${index + 2}`);
    assert.equal(await firstSeen(), `item-${index + 1}`);
    await opened.page.locator(`#item-${index + 2}`).dblclick();
    await position(`${index + 3} of 300`).waitFor();
    host.apply();
    await opened.webview.waitUntilIdle();
    await position(`${index + 3} of 300`).waitFor();
  });

  it('includes a selection of all items, or none after it was cleared', async () => {
    await open();
    await opened.page.locator('#item-2').click();
    await opened.page.keyboard.press('ControlOrMeta+a');
    await comeBack();
    await selectionText('300 selected').waitFor();
    await opened.page.locator('#item-2').click();
    await opened.page.keyboard.press('Escape');
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    await opened.webview.waitUntilIdle();
    await selected();
  });

  it('excludes a selection of more than 2,000 items, as the panel announces', async () => {
    host.counts = { images: 0, pointClouds: 0, files: 3000, readings: 0 };
    await open();
    const note = opened.page.getByText(
      'Selections of more than 2,000 items are cleared when you hide the panel.',
    );
    await opened.page.locator('#item-2').click();
    await selectionText('1 selected').waitFor();
    assert.equal(await note.isVisible(), false);
    await opened.page.keyboard.press('Shift+End');
    await selectionText('2,998 selected').waitFor();
    await note.waitFor();
    await comeBack();
    await opened.page.locator('#item-2999').waitFor();
    await opened.webview.waitUntilIdle();
    await selected();
    assert.equal(await note.isVisible(), false);
    // Any number of items is retained.
    await opened.page.locator('#item-2999').click();
    await opened.page.keyboard.press('ControlOrMeta+a');
    await selectionText('3,000 selected').waitFor();
    assert.equal(await note.isVisible(), false);
  });

  it('excludes the selection in a tab with another filter', async () => {
    await open();
    await opened.page.locator('#item-2').click();
    await opened.page.keyboard.press('ControlOrMeta+a');
    const state = await opened.webview.stateWith('"all":true');
    await opened.close();
    host.counts = { images: 3, pointClouds: 0, files: 300, readings: 0 };
    host.start = { tab: 'images' };
    await open(state);
    await opened.page.locator('#item-2').waitFor();
    host.apply({ ...host.filter, componentName: 'lidar' });
    await opened.webview.waitUntilIdle();
    await opened.page.locator('#tab-files').click();
    await opened.page.locator('.item-row#item-2').waitFor();
    await opened.webview.waitUntilIdle();
    await selected();
    host.start = { tab: 'files' };
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    await opened.webview.waitUntilIdle();
    await selected();
  });

  it('excludes an earlier selection if the items of the last one are unknown', async () => {
    await open();
    await opened.page.locator('#item-2').click();
    await opened.webview.stateWith('files-2');
    host.answers = { identifyItems: () => Promise.reject(new Error('The service is away.')) };
    const requests = host.getSent('identifyItems').length;
    await opened.page.locator('#item-5').click();
    await waitUntil(() => host.getSent('identifyItems').length > requests);
    await comeBack();
    await opened.page.locator('#item-2').waitFor();
    await opened.webview.waitUntilIdle();
    await selected();
  });

  it('includes the selection after a failed search', async () => {
    await open();
    await opened.page.locator('#item-2').click();
    let state = await opened.webview.stateWith('files-2');
    await opened.close();
    host.answers = { findItems: () => Promise.reject(new Error('The service is away.')) };
    await open(state);
    await waitUntil(() => host.getSent('findItems').length === 1);
    await opened.page.locator('#item-2').waitFor();
    state = await opened.webview.state();
    await opened.close();
    host.answers = {};
    await open(state);
    await selectionText('1 selected').waitFor();
    await selected('item-2');
  });

  it('is requested once while the selection changes', async () => {
    await open();
    await opened.page.locator('#item-2').waitFor();
    await opened.page.evaluate(() => {
      const rows = [...document.querySelectorAll('.item-row[data-place]')].slice(0, 8);
      for (const row of rows) {
        const options = { bubbles: true, ctrlKey: true, metaKey: true };
        row.dispatchEvent(new MouseEvent('click', options));
      }
    });
    await selectionText('8 selected').waitFor();
    await opened.webview.stateWith('files-7');
    assert.equal(host.getSent('identifyItems').length, 1);
  });

  it('includes items that the user selected before the earlier selection was found', async () => {
    await open();
    await opened.page.locator('#item-2').click();
    const found = Promise.withResolvers<undefined>();
    host.answers = {
      findItems: async () => {
        await found.promise;
        return { indexes: [2], isRead: true };
      },
    };
    const state = await opened.webview.stateWith('files-2');
    await opened.close();
    await open(state);
    await opened.page.locator('#item-4').click();
    found.resolve(undefined);
    await selectionText('1 selected').waitFor();
    await selected('item-4');
    host.answers = {};
    await opened.webview.stateWith('files-4');
    await comeBack();
    await selectionText('1 selected').waitFor();
    await selected('item-4');
  });

  it('focuses the panel only when the panel has the focus', async () => {
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
