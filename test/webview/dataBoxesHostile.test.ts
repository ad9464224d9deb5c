import assert from 'node:assert/strict';
import jpeg from 'jpeg-js';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import type { BoxView } from '../../src/shared/data/boxes';
import { AnnotatedImage } from '../support/annotatedImage';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { findAxeViolations } from './support/axe';
import { bundleImageStage, ImageStagePage } from './support/imageStagePage';
import { sharedBrowser } from './support/sharedBrowser';
import { themeKinds } from './support/themes';
import type { AppFiles } from './support/webviewPage';

const DRAG_STEPS = 20;
const CHANGES_OF_ONE_BOX = 10;

const corners = { xMin: 0.25, yMin: 0.25, xMax: 0.5, yMax: 0.5 };

/** Returns a solid-color PNG, optionally with a header that declares a different size. */
function png(width = 64, height = 48, claimed?: { width: number; height: number }): Buffer {
  const picture = new PNG({ width, height });
  // Fill the image with noise, so that the file is large enough to be truncated.
  for (let at = 0; at < picture.data.length; at += 1) {
    picture.data[at] = (at * 2_654_435_761) >>> 24;
  }
  const bytes = PNG.sync.write(picture);
  if (claimed) {
    bytes.writeUInt32BE(claimed.width, 16);
    bytes.writeUInt32BE(claimed.height, 20);
  }
  return bytes;
}

describe('unusual images and boxes in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let fleet: MemoryFleet;
  let image: AnnotatedImage;
  let stage: ImageStagePage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleImageStage()]);
  });

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    image = await AnnotatedImage.capture(fleet);
  });

  afterEach(async () => {
    const { pageErrors: complaints } = stage.webview;
    await stage.close();
    await fleet.close();
    assert.deepEqual(complaints, []);
  });

  async function open(): Promise<void> {
    stage = await ImageStagePage.open(browser, { image, files });
  }

  /** Shows boxes that a host could never store. */
  async function showOnly(boxes: readonly BoxView[]): Promise<void> {
    stage = await ImageStagePage.open(browser, { image, files, readOnly: true });
    await stage.page.evaluate(
      ([id, shown, file]) => window.imageStageApp.show({ id, name: 'x', boxes: shown }, file),
      [image.id as string, boxes, png().toString('base64')] as const,
    );
  }

  const notice = (): Promise<string> => stage.page.locator('.image-notice').innerText();

  it('reject files that are not images, too large, or damaged, with the reason', async () => {
    await open();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const whole = png();
    const large = png(64, 48, { width: 50_000, height: 50_000 });
    for (const [file, reason] of [
      [Buffer.from(svg), /neither PNG nor JPEG/],
      [Buffer.alloc(0), /neither PNG nor JPEG/],
      [large, /50,000 × 50,000 pixels is too large to show\. The maximum is 100 megapixels/],
      [whole.subarray(0, 40), /damaged/],
      [Buffer.concat([whole.subarray(0, 30), Buffer.alloc(100)]), /damaged/],
    ] as const) {
      await stage.showFile(image, file);
      assert.match(await notice(), reason);
      assert.equal(await stage.button('Draw Box').isVisible(), false);
      assert.equal(await stage.leave(), true);
    }
    await stage.showFile(image, whole);
    await stage.button('Draw Box').waitFor();
    assert.equal(await stage.page.locator('.image-size').innerText(), '64 × 48 pixels');
  });

  it('report that the end of an image is missing', async () => {
    await open();
    const whole = png();
    await stage.showFile(image, whole.subarray(0, whole.length - 2_000));
    assert.match(await notice(), /cut off|damaged/);
  });

  it('show the existing part of a truncated JPEG, and mark it as partial', async () => {
    await open();
    const { data, width, height } = PNG.sync.read(png(320, 240));
    const whole = jpeg.encode({ data, width, height }, 90).data;
    await stage.showFile(image, whole.subarray(0, Math.floor(whole.length / 2)));
    assert.match(await notice(), /^Partial image: the file is truncated/);
    await stage.button('Draw Box').waitFor();
    assert.equal(await stage.page.locator('.image-size').innerText(), '320 × 240 pixels');
    await stage.showFile(image, whole);
    assert.equal(await stage.page.locator('.image-notice').isVisible(), false);
    await stage.showFile(image, whole.subarray(0, 700));
    assert.match(await notice(), /Partial image|damaged/);
  });

  it('show labels as text, truncated, with the full text in a tooltip', async () => {
    const labels = [
      `<img src=x onerror="alert(1)">`,
      `\u202egnp.exe\u2066 \u200frtl`,
      'two\nlines\ttab',
      'long '.repeat(2_000).trim(),
      '$& {0} $1',
    ];
    const boxes = labels.map((label, index) => ({ ...corners, label, id: `box ${index}` }));
    await showOnly(boxes);
    const texts = async (): Promise<string> => (await stage.boxes()).join('|');
    assert.match(await texts(), /<img src=x onerror="alert\(1\)">: left 16/);
    assert.match(await texts(), /\ufffdgnp\.exe\ufffd \ufffdrtl: left/);
    assert.match(await texts(), /two\ufffdlines\ufffdtab: left/);
    assert.match(await texts(), /\$& \{0\} \$1: left/);
    assert.ok((await texts()).length < 1_000);
    assert.equal(await stage.page.locator('.image-stage img').count(), 0);
    const hints = await stage.page
      .locator('.box-option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('title')?.length));
    assert.ok(hints.includes(2_000));
    await stage.surface.focus();
    await stage.press('Tab', 'Enter', 'Escape', 'Tab', 'z');
  });

  it('show boxes at any position within the image, and change them into valid ones', async () => {
    const strange: readonly BoxView[] = [
      { id: 'a', label: 'outside', xMin: -2, yMin: -1, xMax: 3, yMax: 9e99 },
      { id: 'b', label: 'turned', xMin: 0.75, yMin: 0.5, xMax: 0.25, yMax: 0.25 },
      { id: 'c', label: 'point', xMin: 0.5, yMin: 0.5, xMax: 0.5, yMax: 0.5 },
      { id: 'd', label: '', xMin: 0, yMin: 0, xMax: 0.1, yMax: 0.1, confidence: 7 },
    ];
    await showOnly(strange);
    assert.deepEqual(await stage.boxes(), [
      'outside: left 0, top 0, 64 × 48',
      'turned: left 16, top 12, 32 × 12',
      'point: left 32, top 24, 0 × 0',
      ': left 0, top 0, 6.4 × 4.8, 700% confidence',
    ]);
    await stage.close();
    await open();
    await image.draw({ ...corners, label: 'cup', xMin: 0.5, xMax: 0.5 });
    await stage.showPlain(image);
    await stage.list.getByText('cup: left 200, top 75, 0 × 75').waitFor();
    await stage.surface.focus();
    await stage.press('Tab', 'Alt+Shift+ArrowRight');
    await stage.saved();
    const [box] = await image.boxes();
    assert.ok(box && box.xMax > box.xMin);
  });

  it('allow dragging a box among five hundred without changing the others', async () => {
    const boxes = Array.from({ length: 500 }, (_, index) => {
      const [x, y] = [(index % 25) / 25, Math.floor(index / 25) / 20];
      return {
        xMin: x,
        yMin: y,
        xMax: x + 0.03,
        yMax: y + 0.04,
        label: `part ${index % 12}`,
      };
    });
    for (const box of boxes) await image.draw(box);
    await open();
    await stage.showPlain(image, 4_000, 3_000);
    await stage.page.locator('.box-option').nth(499).waitFor({ state: 'attached' });
    const { x, y } = await stage.point(0.5, 0.5);
    await stage.page.mouse.click(x, y);
    const changes = await stage.page.evaluate(
      ([left, top, steps]) => window.imageStageApp.countDragChanges(left, top, steps),
      [x, y, DRAG_STEPS] as const,
    );
    assert.ok(changes <= DRAG_STEPS * CHANGES_OF_ONE_BOX, `${changes} changes`);
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      for (const label of ['cup', 'jug']) await image.draw({ ...corners, label });
      stage = await ImageStagePage.open(browser, { image, files, theme });
      await stage.showPlain(image);
      await stage.page.locator('.label-button').nth(1).waitFor();
      image.faults.fail('RemoveBoundingBoxFromImageByID', 'unreachable');
      await stage.press('Tab', '2');
      await stage.problems.getByText('still exists').waitFor();
      await stage.press('?');
      await stage.page.getByText('Zoom to the box').waitFor();
      assert.deepEqual(await findAxeViolations(stage.page), []);
      await stage.press('Escape', 'Enter');
      await stage.page.locator('.label-option').first().waitFor();
      assert.deepEqual(await findAxeViolations(stage.page), []);
    });
  }
});
