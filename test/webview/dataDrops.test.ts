import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { DroppedFiles } from '../../src/shared/data/drops';
import { waitUntil } from '../support/waitUntil';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, bundleApp } from './support/webviewPage';

const MEBIBYTE = 1024 * 1024;

/** A file that the browser creates and drags, filled with a repeated character. */
interface MadeFile {
  readonly name: string;
  readonly size: number;
}

describe('dropping files into the data panel in a browser', function () {
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

  /** Drags files over the panel and drops them there. */
  async function drag(made: readonly MadeFile[], events: readonly string[]): Promise<void> {
    await opened.webview.page.evaluate(
      ([all, names]) => {
        const transfer = new DataTransfer();
        for (const { name, size } of all) {
          transfer.items.add(new File(['x'.repeat(size)], name, { lastModified: 1_000 }));
        }
        for (const name of names) {
          const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
          document.querySelector('#app')?.dispatchEvent(new DragEvent(name, options));
        }
      },
      [made, events] as const,
    );
  }

  const overlay = () => opened.webview.page.locator('.drop-overlay');

  async function droppedFiles(): Promise<DroppedFiles> {
    await waitUntil(() => host.getSent('dropFiles').length > 0);
    return host.getSent('dropFiles')[0] as DroppedFiles;
  }

  it('has a button as an alternative to dragging', async () => {
    await open();
    const button = opened.webview.page.getByRole('button', { name: 'Upload…' });
    assert.match((await button.getAttribute('title')) ?? '', /Hold Shift/);
    await button.focus();
    await opened.webview.page.keyboard.press('Enter');
    await waitUntil(() => host.getSent('chooseFiles').length > 0);
  });

  it('shows that files can be dropped, and stops when the pointer leaves', async () => {
    await open();
    assert.equal(await overlay().isVisible(), false);
    await drag([{ name: 'a.jpg', size: 1 }], ['dragenter', 'dragover']);
    assert.equal(await overlay().innerText(), 'Drop files to upload them');
    await drag([{ name: 'a.jpg', size: 1 }], ['dragleave']);
    assert.equal(await overlay().isVisible(), false);
  });

  it('reports dropped files with any names, and sends them in chunks', async () => {
    const chunkSizes: number[] = [];
    let waiting = 0;
    let most = 0;
    host.answers = {
      dropBytes: async ({ bytes }) => {
        waiting += 1;
        most = Math.max(most, waiting);
        await new Promise((resolve) => setImmediate(resolve));
        waiting -= 1;
        chunkSizes.push(bytes.byteLength);
        return { more: true };
      },
    };
    await open();
    const hostile = `<img src=x onerror=alert(1)>\u202e\n${'n'.repeat(10_000)}.jpg`;
    await drag(
      [
        { name: hostile, size: 0 },
        { name: 'large.bin', size: 2.5 * MEBIBYTE },
      ],
      ['dragenter', 'drop'],
    );
    const { drop, files: listedFiles, hidden, tooMany } = await droppedFiles();
    assert.deepEqual(
      listedFiles.map(({ path, sizeBytes }) => [path.replaceAll(/n{10,}/g, 'n…'), sizeBytes]),
      [
        ['<img src=x onerror=alert(1)>\u202e\nn….jpg', 0],
        ['large.bin', 2.5 * MEBIBYTE],
      ],
    );
    assert.deepEqual([hidden, tooMany], [[], false]);
    assert.equal(await overlay().isVisible(), false);

    host.page.notify('readDropped', { read: 7, drop, file: 1 });
    await waitUntil(() => host.getSent('dropEnd').length > 0);
    assert.deepEqual(host.getSent('dropEnd'), [{ read: 7 }]);
    assert.deepEqual(chunkSizes, [MEBIBYTE, MEBIBYTE, MEBIBYTE / 2]);
    assert.equal(most, 1);
  });

  it('stops on request, and reports a file that was deleted', async () => {
    host.answers = { dropBytes: () => Promise.resolve({ more: false }) };
    await open();
    await drag([{ name: 'a.bin', size: 3 * MEBIBYTE }], ['drop']);
    const { drop } = await droppedFiles();
    host.page.notify('readDropped', { read: 1, drop, file: 0 });
    host.page.notify('dropReleased', { drop });
    host.page.notify('readDropped', { read: 2, drop, file: 0 });
    await waitUntil(
      () => host.getSent('dropFailed').length > 0 && host.getSent('dropBytes').length > 0,
    );
    assert.equal((host.getSent('dropFailed')[0] as { read: number }).read, 2);
    assert.equal(host.getSent('dropBytes').length, 1);
    assert.deepEqual(host.getSent('dropEnd'), []);
  });

  it('passes on the URIs of files dragged from the explorer', async () => {
    await open();
    await opened.webview.page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.setData('application/vnd.code.uri-list', 'file:///w/a.jpg\r\n# no\r\nfile:///w/b');
      const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
      document.querySelector('#app')?.dispatchEvent(new DragEvent('drop', options));
    });
    await waitUntil(() => host.getSent('dropUris').length > 0);
    assert.deepEqual(host.getSent('dropUris'), [{ uris: ['file:///w/a.jpg', 'file:///w/b'] }]);
  });

  it('is disabled if the key cannot add data', async () => {
    host.start = { canWrite: false };
    await open();
    assert.ok(await opened.webview.page.getByRole('button', { name: 'Upload…' }).isDisabled());
    await drag([{ name: 'a.jpg', size: 1 }], ['dragenter']);
    assert.equal(
      await overlay().innerText(),
      "This API key doesn't have permission to add data here.",
    );
    await drag([{ name: 'a.jpg', size: 1 }], ['drop']);
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('dropFiles'), []);
  });
});
