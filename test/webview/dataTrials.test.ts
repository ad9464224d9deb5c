import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import type { TrialView } from '../../src/shared/data/proposals';
import { encodeImage } from '../../src/simulate/images/encodeImage';
import { hallScene } from '../../src/simulate/images/hallScene';
import { Random } from '../../src/simulate/random';
import { findAxeViolations } from './support/axe';
import { waitUntil } from '../support/waitUntil';
import { DataPage } from './support/dataPage';
import { FakeDataHost, noon } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

const classes: TrialView = {
  model: 'cartons 0.1.0',
  task: 'singleLabelClassification',
  minConfidence: 0.3,
  predictions: [
    { label: 'dented', confidence: 0.925 },
    { label: '<b>intact</b>', confidence: 0.075 },
  ],
};

const trialView: TrialView = {
  model: 'pallets 2.0.0',
  task: 'objectDetection',
  minConfidence: 0.3,
  predictions: [
    { label: 'pallet', confidence: 0.8, box: { xMin: 0.25, yMin: 0.25, xMax: 0.75, yMax: 0.75 } },
  ],
};

describe('model predictions on images of the data panel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeDataHost;
  let opened: DataPage;

  const { canvas } = hallScene(new Random('hall'), new Date(noon), 320, 240);
  const picture = new Uint8Array(encodeImage(canvas, 'jpeg'));
  const press = (keys: string): Promise<void> => opened.page.keyboard.press(keys);
  const predictions = (): ReturnType<DataPage['page']['locator']> =>
    opened.page.locator('.trial:visible');

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('data')]);
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  /** Starts opening the first image; doesn't wait for it. */
  async function startOpening(answers: FakeDataHost['answers'], theme?: ThemeKind): Promise<void> {
    host = new FakeDataHost();
    const content = (): Promise<{ bytes: ArrayBuffer }> =>
      Promise.resolve({ bytes: picture.slice().buffer });
    host.answers = { thumbnail: content, content, ...answers };
    opened = await DataPage.open(browser, { host, files, ...(theme && { theme }) });
    await opened.page.locator('#item-0:visible[aria-busy=false]').click();
    await press('Enter');
    await opened.page.getByText('1 of 3').waitFor();
  }

  /** Opens the first image and waits until it is shown. */
  async function openImage(answers: FakeDataHost['answers'], theme?: ThemeKind): Promise<void> {
    await startOpening(answers, theme);
    await opened.page.locator('.image-stage:not(.empty)').waitFor();
    // By this point, the image's boxes are loaded, and the image has the focus.
    await opened.webview.waitUntilIdle();
  }

  /**
   * Returns true if the boxes' layer has the box color at the center of the predicted box's left
   * edge.
   */
  const isBoxDrawn = (): Promise<boolean> =>
    opened.page.evaluate(() => {
      const layer = document.querySelectorAll<HTMLCanvasElement>('.image-layer')[1];
      const { data } = layer?.getContext('2d')?.getImageData(0, 0, layer.width, layer.height) ?? {};
      return data?.some((value) => value > 0) ?? false;
    });

  it('show the classes with their confidences as text', async () => {
    await openImage({ tryModel: () => Promise.resolve(classes) });
    await opened.button('Try Model on Image…').click();
    await predictions().getByRole('heading', { name: 'Predictions of cartons 0.1.0' }).waitFor();
    const rows = await predictions().getByRole('listitem').allTextContents();
    assert.deepEqual(rows, ['dented: 92.5%', '<b>intact</b>: 7.5%']);
    assert.deepEqual(host.getSent('tryModel'), [{ id: 'images-0' }]);
    await predictions().getByText('Predictions are not stored.').waitFor();
    assert.equal(await isBoxDrawn(), false);
    assert.deepEqual(host.getSent('act').concat(host.getSent('actOnBoxes')), []);
  });

  for (const [count, text] of [
    [21, '1 more label with a lower confidence'],
    [1_240, '1,220 more labels with a lower confidence'],
  ] as const) {
    it(`count the labels beyond the first 20 of ${String(count)}`, async () => {
      const predictions = Array.from({ length: count }, (_, at) => ({
        label: `label ${String(at)}`,
        confidence: 1 / (at + 1),
      }));
      await openImage({ tryModel: () => Promise.resolve({ ...classes, predictions }) });
      await press('m');
      await opened.page.locator('.trial:visible').getByText(text, { exact: true }).waitFor();
    });
  }

  it('show the boxes of a detector until another image is shown', async () => {
    await openImage({ tryModel: () => Promise.resolve(trialView) });
    await press('m');
    await predictions().getByText('pallet: 80%').waitFor();
    await opened.page.waitForFunction(() => {
      const layer = document.querySelectorAll<HTMLCanvasElement>('.image-layer')[1];
      const image = layer?.getContext('2d')?.getImageData(0, 0, layer.width, layer.height);
      return image?.data.some((value) => value > 0);
    });
    await press('PageDown');
    await opened.page.getByText('2 of 3').waitFor();
    await predictions().waitFor({ state: 'detached' });
    await opened.page.waitForFunction(() => {
      const layer = document.querySelectorAll<HTMLCanvasElement>('.image-layer')[1];
      const image = layer?.getContext('2d')?.getImageData(0, 0, layer.width, layer.height);
      return image?.data.every((value) => value === 0);
    });
  });

  it('show the boxes of a detector that arrive before the image', async () => {
    const read = Promise.withResolvers<{ bytes: ArrayBuffer }>();
    await startOpening({ tryModel: () => Promise.resolve(trialView), content: () => read.promise });
    await press('m');
    await predictions().getByText('pallet: 80%').waitFor();
    read.resolve({ bytes: picture.slice().buffer });
    await waitUntil(isBoxDrawn);
    await predictions().and(opened.page.locator(':focus')).waitFor();
  });

  it('have the focus, and return it to the image at Escape', async () => {
    await openImage({ tryModel: () => Promise.resolve(classes) });
    await press('m');
    await predictions().and(opened.page.locator(':focus')).waitFor();
    await press('Escape');
    await opened.page.locator('.image-surface:focus').waitFor();
    assert.equal(await predictions().count(), 0);
    assert.ok(await opened.page.locator('.detail').isVisible());
  });

  it('report why a model cannot be tried, and nothing if the user cancels the prompt', async () => {
    let kind: FleetError['kind'] = 'unsupported';
    await openImage({
      tryModel: () => Promise.reject(new FleetError(kind, 'Not a model of ours.')),
    });
    await press('m');
    await predictions().getByRole('alert').getByText('Not a model of ours.').waitFor();
    await press('Escape');
    kind = 'canceled';
    await press('m');
    await opened.webview.waitUntilIdle();
    assert.equal(await predictions().count(), 0);
    kind = 'notFound';
    await press('m');
    await predictions().getByRole('alert').waitFor();
    assert.equal(host.getSent('tryModel').length, 3);
  });

  it('report that a detector finds nothing', async () => {
    await openImage({ tryModel: () => Promise.resolve({ ...trialView, predictions: [] }) });
    await press('m');
    await predictions().getByText('found nothing with a confidence of at least 30%').waitFor();
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      await openImage({ tryModel: () => Promise.resolve(classes) }, theme);
      await press('m');
      await predictions().getByText('dented: 92.5%').waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
