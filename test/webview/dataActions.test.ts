import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { waitUntil } from '../support/waitUntil';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, bundleApp } from './support/webviewPage';

describe('the bar of selected items in a browser', function () {
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
    host.counts = { images: 12_345, pointClouds: 2, files: 0, readings: 0 };
  });
  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(): Promise<void> {
    opened = await DataPage.open(browser, { host, files });
    await grid().locator('[role=gridcell], [role=row]').first().waitFor();
  }
  const grid = (): Locator => opened.page.getByRole('grid');
  const bar = (): Locator => opened.page.getByRole('toolbar', { name: 'Selected items' });
  const acts = async (count: number): Promise<readonly unknown[]> => {
    await waitUntil(() => host.getSent('act').length >= count);
    return host.getSent('act');
  };

  it('appears with the first selected item, and offers to select all matches', async () => {
    await open();
    assert.equal(await bar().count(), 0);
    await grid().focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.keyboard.press('Shift+ArrowRight');
    assert.equal(await bar().getByRole('status').innerText(), '2 selected');
    await bar().getByRole('button', { name: 'Select all 12,345 matching' }).click();
    assert.equal(await bar().getByRole('status').innerText(), '12,345 selected');
    await bar().getByRole('button', { name: 'Clear Selection' }).click();
    assert.equal(await bar().count(), 0);
  });

  it('runs the actions of its buttons on the selection with keys', async () => {
    await open();
    await grid().focus();
    await opened.page.keyboard.press('ArrowDown');
    for (const key of ['t', 'Shift+T', 'd', 'Shift+D', 's', 'Delete']) {
      await opened.page.keyboard.press(key);
    }
    const selection = {
      generation: host.generation,
      placement: 'images',
      all: false,
      ranges: [{ start: 0, end: 1 }],
    };
    assert.deepEqual(
      await acts(6),
      ['addTags', 'removeTags', 'addToDataset', 'removeFromDataset', 'download', 'delete'].map(
        (action) => ({ action, selection }),
      ),
    );
    await opened.page.keyboard.press('Control+a');
    await bar().getByRole('button', { name: 'Add Tags…' }).click();
    const [, , , , , , last] = await acts(7);
    assert.equal((last as { selection: { all: boolean } }).selection.all, true);
  });

  it('accepts keys after everything was selected with the mouse', async () => {
    await open();
    await opened.button('Select All').click();
    await opened.page.keyboard.press('s');
    const [request] = await acts(1);
    assert.equal((request as { action: string }).action, 'download');
  });

  it('undoes the last action with Ctrl+Z, if there is one', async () => {
    await open();
    await grid().focus();
    await opened.page.keyboard.press('Control+z');
    opened.webview.notify('undoable', { text: 'Add "<b>x</b>" to 214 items' });
    const undo = bar().getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    assert.match((await undo.getAttribute('title')) ?? '', /Add "<b>x<\/b>" to 214 items/);
    await opened.page.keyboard.press('Control+z');
    await undo.click();
    await waitUntil(() => host.getSent('undoAction').length >= 2);
    opened.webview.notify('undoable', {});
    await undo.waitFor({ state: 'detached' }).catch(() => undo.waitFor({ state: 'hidden' }));
  });

  it('offers only downloads to a read-only key', async () => {
    host.start = { canWrite: false };
    await open();
    await grid().focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.keyboard.press('t');
    await opened.page.keyboard.press('Delete');
    await opened.page.keyboard.press('s');
    const sent = await acts(1);
    assert.deepEqual(
      sent.map((message) => (message as { action: string }).action),
      ['download'],
    );
    const tag = bar().getByRole('button', { name: 'Add Tags…' });
    assert.equal(await tag.isDisabled(), true);
    assert.equal(
      await tag.getAttribute('title'),
      "Your API key doesn't have permission to edit this data",
    );
  });

  it('has a menu if its buttons do not fit', async () => {
    await open();
    await opened.page.setViewportSize({ width: 480, height: 600 });
    await grid().focus();
    await opened.page.keyboard.press('ArrowDown');
    await bar().getByRole('button', { name: 'More Actions' }).click();
    await opened.page.getByRole('menuitem', { name: 'Add to Dataset…' }).click();
    const [message] = await acts(1);
    assert.equal((message as { action: string }).action, 'addToDataset');
  });
});
