import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import { encodeImage } from '../../src/simulate/images/encodeImage';
import { hallScene } from '../../src/simulate/images/hallScene';
import { Random } from '../../src/simulate/random';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { DataPage } from './support/dataPage';
import { FakeDataHost, noon } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { themeKinds, type ThemeKind } from './support/themes';
import { type AppFiles, bundleApp, drawn } from './support/webviewPage';

const MANY = 100_000;

describe('items of the data panel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeDataHost;
  let opened: DataPage;

  const { canvas } = hallScene(new Random('hall'), new Date(noon), 320, 240);
  const picture = new Uint8Array(encodeImage(canvas, 'jpeg'));

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('data')]);
  });

  beforeEach(() => {
    host = new FakeDataHost();
    host.counts = { images: MANY, pointClouds: 50, files: 20, readings: 0 };
    const content = (): Promise<{ bytes: ArrayBuffer }> =>
      Promise.resolve({ bytes: picture.slice().buffer });
    host.answers = { thumbnail: content, content };
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(theme: ThemeKind = 'dark'): Promise<void> {
    opened = await DataPage.open(browser, { host, files, theme });
    await tile(0).and(opened.page.locator('[aria-busy=false]')).waitFor();
  }

  const tile = (index: number): ReturnType<DataPage['page']['locator']> =>
    opened.page.locator(`#item-${index}:visible`);
  const press = (keys: string): Promise<void> => opened.page.keyboard.press(keys);
  const scrollTo = (part: number): Promise<void> =>
    opened.page.locator('.board-scroller').evaluate((scroller, to) => {
      scroller.scrollTop = to * (scroller.scrollHeight - scroller.clientHeight);
    }, part);
  const active = (): Promise<string | null> =>
    opened.page.locator('.board-scroller:visible').getAttribute('aria-activedescendant');

  /** Returns the indexes of the selected items that are drawn. */
  const selected = (): Promise<readonly number[]> =>
    opened.page
      .locator('.tile[aria-selected=true]:visible')
      .evaluateAll((tiles) => tiles.map((one) => Number((one as HTMLElement).dataset.place)));

  it('are rendered only near the visible ones of many thousand images', async () => {
    await open();
    assert.ok((await opened.page.locator('.tile').count()) < 60);
    await scrollTo(1);
    await tile(MANY - 1).waitFor();
    await opened.page.locator('.tile-name', { hasText: `images-${MANY - 1}.jpg` }).waitFor();
    assert.ok((await opened.page.locator('.tile').count()) < 60);
  });

  it('have thumbnails if they are visible', async () => {
    await open();
    await opened.page.waitForFunction(() =>
      [...document.querySelectorAll('canvas')].some(
        (one) => one.getContext('2d')?.getImageData(one.width >> 1, one.height >> 1, 1, 1).data[3],
      ),
    );
  });

  it('cancel the requests of thumbnails that were scrolled out of view', async () => {
    const signals: AbortSignal[] = [];
    host.answers = {
      thumbnail: (_, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    };
    await open();
    await waitUntil(() => signals.length >= 8);
    const before = [...signals];
    await scrollTo(1);
    await tile(MANY - 1).waitFor();
    await waitUntil(() => before.every(({ aborted }) => aborted));
    await waitUntil(() =>
      host.getSent('thumbnail').some((one) => getItemId(one) === `images-${MANY - 1}`),
    );
  });

  it('show why there is no thumbnail', async () => {
    host.items.set('images-1', { sizeBytes: 30 * 1024 * 1024 });
    host.answers = {
      thumbnail: ({ id }) => {
        const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
        if (id === 'images-2') return Promise.resolve({ bytes: encodeText(svg) });
        if (id === 'images-3') return Promise.reject(new FleetError('notFound', 'Gone.'));
        if (id === 'images-5') return Promise.reject(new FleetError('damaged', 'Changed.'));
        const isCut = id === 'images-4';
        return Promise.resolve({ bytes: picture.slice(0, isCut ? 12 : undefined).buffer });
      },
    };
    await open();
    await tile(1).getByText('Large image').waitFor();
    await tile(2).getByText('Preview not available').waitFor();
    await tile(3).getByText('Deleted').waitFor();
    await tile(4).getByText('Preview not available').waitFor();
    await tile(5).getByText('Damaged · open for details').waitFor();
    assert.ok(!host.getSent('thumbnail').some((one) => getItemId(one) === 'images-1'));
  });

  it('show the progress of loading toward a distant position', async () => {
    let read = 5_000;
    host.answers = {
      ...host.answers,
      items: ({ placement, start, end }) => {
        if (start > 1_000) read = Math.min(read + 5_000, MANY);
        const last = Math.min(end, read, read < 90_000 && start > 1_000 ? 0 : MANY);
        const length = Math.max(0, last - start);
        const items = Array.from({ length }, (_, n) => host.item(placement, start + n));
        return new Promise((resolve) =>
          setTimeout(() => resolve({ start, items, count: MANY, read }), 5),
        );
      },
    };
    await open();
    await scrollTo(0.8);
    await opened.page.getByText(/Loading [\d,]+ of 100,000…/).waitFor();
    await opened.page.locator('.tile[aria-busy=true]').first().waitFor();
    await opened.page.locator('.tile[aria-busy=true]').first().waitFor({ state: 'detached' });
  });

  it('report a failed load, and retry on request', async () => {
    let fails = true;
    host.answers = {
      ...host.answers,
      items: ({ placement, start, end }) => {
        if (fails) return Promise.reject(new FleetError('unavailable', 'The service is away.'));
        const items = Array.from({ length: end - start }, (_, n) =>
          host.item(placement, start + n),
        );
        return Promise.resolve({ start, items, count: MANY, read: MANY });
      },
    };
    opened = await DataPage.open(browser, { host, files });
    await opened.page.getByRole('alert').getByText('The service is away.').waitFor();
    fails = false;
    await opened.button('Retry').click();
    await tile(0).and(opened.page.locator('[aria-busy=false]')).waitFor();
    await opened.page.getByText('The service is away.').waitFor({ state: 'hidden' });
  });

  it('can be navigated with the keyboard in two directions', async () => {
    await open();
    await opened.page.locator('.board-scroller').focus();
    const columns = Number(
      await opened.page.locator('.board-scroller').getAttribute('aria-colcount'),
    );
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) await press(key);
    await drawn(opened.page);
    assert.equal(await active(), `item-${columns}`);
    assert.deepEqual(await selected(), [columns]);
    await press('Control+ArrowRight');
    await press('Control+ArrowRight');
    await press('Space');
    await drawn(opened.page);
    assert.deepEqual(await selected(), [columns, columns + 2]);
    await press('Shift+ArrowRight');
    await drawn(opened.page);
    assert.deepEqual(await selected(), [columns + 2, columns + 3]);
    await press('End');
    await tile(MANY - 1).waitFor();
    assert.equal(await active(), `item-${MANY - 1}`);
    await press('Home');
    await tile(0).waitFor();
    await press('Control+a');
    await opened.page.getByText('100,000 selected').waitFor();
    await press('Escape');
    await drawn(opened.page);
    assert.deepEqual(await selected(), []);
  });

  it('are selected with the mouse: one, a range, several, and those in a rectangle', async () => {
    await open();
    await tile(1).click();
    await tile(3).click({ modifiers: ['Shift'] });
    await tile(0).click({ modifiers: ['ControlOrMeta'] });
    await drawn(opened.page);
    assert.deepEqual(await selected(), [0, 1, 2, 3]);
    const [from, to] = [await tile(1).boundingBox(), await tile(7).boundingBox()];
    assert.ok(from && to);
    await opened.page.mouse.move(from.x + 40, from.y + 40);
    await opened.page.mouse.down();
    await opened.page.mouse.move(to.x + 40, to.y + 40, { steps: 5 });
    await drawn(opened.page);
    await opened.page.mouse.up();
    assert.deepEqual(await selected(), [1, 2, 6, 7]);
    await tile(4).locator('.check').click();
    await drawn(opened.page);
    assert.deepEqual(await selected(), [1, 2, 4, 6, 7]);
  });

  it('open an image, switch to its neighbors, and return to the previous position', async () => {
    await open();
    await scrollTo(0.5);
    await drawn(opened.page);
    await opened.page.locator('.tile[aria-busy=true]').first().waitFor({ state: 'detached' });
    const index = Number(
      await opened.page.locator('.tile:visible').nth(7).getAttribute('data-place'),
    );
    await tile(index).click();
    // The click can scroll the tile into view, which the page notices only in the next frame.
    await drawn(opened.page);
    const before = await opened.page.locator('.board-scroller').evaluate((one) => one.scrollTop);
    await press('Enter');
    await opened.page.getByText(`${(index + 1).toLocaleString('en-US')} of 100,000`).waitFor();
    await press('PageDown');
    await opened.page.getByRole('heading', { name: `images-${index + 1}.jpg` }).waitFor();
    await press('Escape');
    await opened.page.locator('.detail').waitFor({ state: 'hidden' });
    await drawn(opened.page);
    assert.equal(await active(), `item-${index + 1}`);
    const now = await opened.page.locator('.board-scroller').evaluate((one) => one.scrollTop);
    assert.ok(Math.abs(now - before) < 2, `${before} to ${now}`);
    assert.deepEqual(await selected(), [index]);
  });

  it('ThumbnailBoard decodes thumbnails again when the page is zoomed', async () => {
    await open();
    /** Returns the fraction of a tile's width that its image fills. */
    const covered = (): Promise<number> =>
      tile(0)
        .locator('canvas')
        .evaluate((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const context = (canvas as HTMLCanvasElement).getContext('2d');
          const { data } = context?.getImageData(0, Math.floor(height / 2), width, 1) ?? {};
          return (data ?? []).filter((part, at) => at % 4 === 3 && part > 0).length / width;
        });
    await waitUntil(async () => (await covered()) > 0.8);
    const session = await opened.page.context().newCDPSession(opened.page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: 800,
      height: 500,
      deviceScaleFactor: 1.5,
      mobile: false,
    });
    await opened.page.waitForFunction(() => devicePixelRatio === 1.5);
    await waitUntil(async () => (await covered()) > 0.8);
    // Close the page, because Playwright doesn't know about the override and the next test would
    // reuse the page.
    await opened.page.close();
  });

  it('show an image and its details in a narrow panel, or allow scrolling to them', async () => {
    const names = ['Captured', 'File Name', 'MIME Type', 'Size', 'Component', 'Method'];
    const facts = names.map((name) => ({ name, value: 'x' }));
    host.answers = { ...host.answers, facts: () => Promise.resolve({ facts }) };
    await open();
    await tile(0).dblclick();
    await opened.page.getByRole('button', { name: 'Details', exact: true }).click();
    const panel = opened.page.locator('.facts-panel');
    await panel.getByText('Method').waitFor();
    for (const height of [860, 420]) {
      await opened.page.setViewportSize({ width: 400, height });
      await drawn(opened.page);
      await opened.page.locator('.detail-main').evaluate((main) => {
        if (getComputedStyle(main).overflowY === 'auto') main.scrollTop = main.scrollHeight;
      });
      const box = await panel.boundingBox();
      assert.ok(box && box.height > 80, `${box?.height}`);
      assert.ok(box.y + box.height <= height + 0.5, `${height}: ${box.y} + ${box.height}`);
    }
  });

  it('receive keys while the next image loads, which moves the focus', async () => {
    await open();
    await opened.page.locator('.board-scroller').focus();
    await press('Home');
    await press('Enter');
    await opened.page.locator('.image-surface:focus').waitFor();
    await opened.page.evaluate(() => {
      globalThis.createImageBitmap = () => new Promise(() => undefined);
    });
    await press('PageDown');
    await opened.page.waitForFunction(() => document.activeElement === document.body);
    await press('PageDown');
    await opened.page.getByRole('heading', { name: 'images-2.jpg' }).waitFor();
    await press('Escape');
    await opened.page.locator('.detail').waitFor({ state: 'hidden' });
    await opened.page.locator('.board-scroller[aria-activedescendant="item-2"]').waitFor();
  });

  it('switch to a neighbor even if the previous item changes in the meantime', async () => {
    const settled = Promise.withResolvers();
    host.answers = {
      ...host.answers,
      settleBoxes: async ({ image }) => {
        await settled.promise;
        return { image, sequence: 0, boxes: [], saving: false, canUndo: false, canRedo: false };
      },
    };
    await open();
    await opened.page.locator('.board-scroller').focus();
    await press('Home');
    await press('Enter');
    await opened.page.locator('[data-focus=draw][aria-disabled=false]').waitFor();
    await opened.page.locator('.image-surface:focus').waitFor();
    const changed = async (): Promise<void> => {
      const requestCount = host.getSent('facts').length;
      opened.webview.notify('itemsStale', { generation: host.generation });
      await waitUntil(() => host.getSent('facts').length !== requestCount);
    };
    // The second change finds the item that the first change reloaded; the third change, below,
    // finds a different item.
    await changed();
    await changed();
    await press('PageDown');
    await waitUntil(() => host.getSent('settleBoxes').length > 0);
    await changed();
    settled.resolve(undefined);
    await opened.page.getByRole('heading', { name: 'images-1.jpg' }).waitFor();
  });

  it('open an item that is not loaded yet as soon as it is', async () => {
    await open();
    await opened.page.locator('.board-scroller').focus();
    for (const key of ['End', 'Enter']) await press(key);
    await opened.page.getByText('100,000 of 100,000').waitFor();
  });

  it('accept no boxes for an image while the next one loads', async () => {
    const { promise, resolve } = Promise.withResolvers();
    await open();
    await opened.page.locator('.board-scroller').focus();
    await press('Home');
    await press('Enter');
    const ready = opened.page.locator('button[aria-disabled=false]', { hasText: 'Draw Box' });
    await ready.waitFor();
    host.answers = {
      ...host.answers,
      content: async () => {
        await promise;
        return { bytes: picture.slice().buffer };
      },
    };
    // The next image is already loaded; the images after it aren't, so a message replaces them.
    for (let step = 0; step < 3; step += 1) {
      await press('PageDown');
      await opened.page.getByText(`${step + 2} of 100,000`).waitFor();
      if (step > 0) await opened.page.getByText('Loading the content…').waitFor();
    }
    assert.equal(await ready.count(), 0);
    resolve(undefined);
    await ready.waitFor();
  });

  it('show a file only as text, and what is not shown', async () => {
    const text = '<script>alert(1)</script>\n\u202egnp.exe';
    host.items.set('files-1', { sizeBytes: 2 * 1024 ** 3, name: '../../huge.bin' });
    host.answers = {
      content: ({ id }) =>
        id === 'files-2'
          ? Promise.reject(new FleetError('unavailable', 'The service is away.'))
          : Promise.resolve({ bytes: encodeText(text) }),
      facts: () => Promise.resolve({ facts: [{ name: 'Tags', value: '<b>x</b>\u202e' }] }),
    };
    await open();
    await opened.tab('files').click();
    await opened.page.locator('#item-0.item-row').dblclick();
    assert.equal(await opened.page.locator('.file-stage pre').textContent(), text);
    await opened.button('Next').click();
    await opened.page.getByText(/larger than .* can't be shown here/).waitFor();
    await opened.button('Next').click();
    await opened.page.getByRole('alert').getByText('The service is away.').waitFor();
    await opened.button('Copy ID').click();
    await waitUntil(() => host.getSent('copyText').length > 0);
    assert.deepEqual(host.getSent('copyText'), [{ text: 'files-2' }]);
  });

  it('DetailFrame explains what to do about a damaged content without the message of the failed call', async () => {
    host.answers = {
      ...host.answers,
      content: () => Promise.reject(new FleetError('damaged', 'Could not read: data_loss.')),
    };
    await open();
    await opened.tab('files').click();
    await opened.page.locator('#item-0.item-row').dblclick();
    const alert = opened.page.getByRole('alert');
    await alert.getByText(/item's content is damaged.*Restore it from a backup/).waitFor();
    assert.doesNotMatch((await alert.textContent()) ?? '', /data_loss/);
  });

  it('ItemTile shows the partial image of a truncated JPEG, marked as truncated', async () => {
    host.answers = {
      thumbnail: ({ id }) => {
        const length = id === 'images-1' ? Math.floor(picture.length / 2) : picture.length;
        return Promise.resolve({ bytes: picture.slice(0, length).buffer });
      },
    };
    await open();
    await tile(1).locator('.tile-truncated', { hasText: 'Truncated' }).waitFor();
    const topPixel = await tile(1)
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        const context = canvas.getContext('2d');
        return context?.getImageData(width >> 1, height >> 2, 1, 1).data[3];
      });
    assert.equal(topPixel, 255);
    assert.equal(await tile(1).locator('.tile-problem').innerText(), '');
    await tile(0).and(opened.page.locator(':not(.waiting)')).waitFor();
    assert.equal(await tile(0).locator('.tile-truncated').innerText(), '');
  });

  it('are rendered again after they changed', async () => {
    await open();
    assert.equal(await tile(0).getByText('1 tag').count(), 0);
    host.items.set('images-0', { tags: ['seen'] });
    opened.webview.notify('itemsStale', { generation: host.generation });
    await tile(0).getByText('1 tag').waitFor();
  });

  it('show user-provided text on one line', async () => {
    host.items.set('images-0', { name: '<img src=x onerror=alert(1)>\n\u202egnp.exe' });
    host.items.set('images-1', { name: 'x'.repeat(10_000) });
    await open();
    const name = await tile(0).locator('.tile-name').textContent();
    assert.equal(name, '<img src=x onerror=alert(1)>\ufffd\ufffdgnp.exe');
    assert.equal((await tile(1).locator('.tile-name').textContent())?.length, 201);
    assert.equal(await opened.page.locator('img').count(), 0);
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      host.answers = {
        ...host.answers,
        facts: () => Promise.resolve({ facts: [{ name: 'Tags', value: 'seen' }] }),
      };
      await open(theme);
      await tile(1).click();
      assert.deepEqual(await violations(), []);
      await opened.tab('files').click();
      await opened.page.locator('#item-0.item-row').click();
      assert.deepEqual(await violations(), []);
      await press('Enter');
      await opened.button('Details').click();
      assert.deepEqual(await violations(), []);
    });
  }

  function violations(): Promise<readonly string[]> {
    return findAxeViolations(opened.page);
  }
});

function getItemId(params: unknown): string {
  return (params as { readonly id: string }).id;
}

function encodeText(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}
