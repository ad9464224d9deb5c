import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { AnnotatedImage } from '../support/annotatedImage';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { waitUntil } from '../support/waitUntil';
import { bundleImageStage, ImageStagePage } from './support/imageStagePage';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, drawn } from './support/webviewPage';

const corners = { xMin: 0.25, yMin: 0.25, xMax: 0.5, yMax: 0.5 };
const ADD = 'AddBoundingBoxToImageByID';
const REMOVE = 'RemoveBoundingBoxFromImageByID';

describe('annotating an image in a browser', function () {
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
    await stage.showPlain(image);
    await stage.page.locator('[data-focus=draw][aria-disabled=false]').waitFor();
  }

  const stored = async (): Promise<readonly string[]> =>
    (await image.boxes()).map(({ label }) => label).sort();

  it('draws five boxes with the keyboard as they are stored', async () => {
    await open();
    const labels = ['cup', 'jug', 'mug', 'pan', 'pot'];
    for (const [index, label] of labels.entries()) {
      await stage.press('b', ...Array.from({ length: index + 1 }, () => 'Shift+ArrowRight'));
      await stage.press('ArrowDown', 'Alt+ArrowRight', 'Alt+Shift+ArrowDown', 'Enter');
      await stage.page.keyboard.type(label);
      await stage.press('Enter');
    }
    await stage.saved();
    assert.deepEqual(await stored(), labels);
    const boxes = await image.boxes();
    for (const [index, label] of labels.entries()) {
      const box = boxes.find((one) => one.label === label);
      // The box started in the center with a quarter of the image's size in each direction, and was
      // then moved and resized by whole pixels.
      assert.deepEqual(
        [box?.xMin, box?.yMin, box?.xMax, box?.yMax].map(
          (part, at) => Math.round((part ?? 0) * (at % 2 === 0 ? 400 : 300) * 1e6) / 1e6,
        ),
        [150 + 10 * (index + 1), 114, 251 + 10 * (index + 1), 199],
        label,
      );
    }
    assert.equal((await stage.boxes()).length, 5);
    assert.match((await stage.boxes())[0] ?? '', /^cup: left 160, top 114, 101 × 85$/);
  });

  it('sets labels with number keys, and suggests labels while the user types', async () => {
    await image.draw({ ...corners, label: 'cup' });
    await image.draw({ ...corners, label: 'jug' });
    await open();
    await stage.press('b', '2');
    await stage.saved();
    assert.deepEqual(await stored(), ['cup', 'jug', 'jug']);
    await stage.press('1');
    await stage.saved();
    assert.deepEqual(await stored(), ['cup', 'cup', 'jug']);
    await stage.press('Enter');
    await stage.page.keyboard.type('j');
    assert.deepEqual(await stage.page.locator('.label-option-text').allInnerTexts(), ['jug']);
    await stage.press('ArrowDown', 'Enter');
    await stage.saved();
    assert.deepEqual(await stored(), ['cup', 'jug', 'jug']);
    // Enter in an empty input sets the last label; a digit sets the label with that number.
    await stage.press('b', 'Enter', 'Enter', 'b', 'Enter', '1');
    await stage.saved();
    assert.deepEqual(await stored(), ['cup', 'cup', 'jug', 'jug', 'jug']);
    assert.deepEqual(await stage.page.locator('.label-button').allInnerTexts(), [
      '1\ncup',
      '2\njug',
    ]);
  });

  it('preserves the label being typed while the image changes its size', async () => {
    await open();
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cu');
    const height = (): Promise<number> =>
      stage.page.getByRole('application').evaluate((element) => element.clientHeight);
    const before = await height();
    const { width } = stage.page.viewportSize() ?? assert.fail();
    await stage.page.setViewportSize({ width, height: 560 });
    await waitUntil(async () => (await height()) < before);
    await drawn(stage.page);
    await stage.page.keyboard.type('p');
    await stage.press('Enter');
    await stage.saved();
    assert.deepEqual(await stored(), ['cup']);
  });

  it('requires a nonempty label', async () => {
    await open();
    await stage.press('b', 'Enter', 'Enter');
    await stage.page.getByText('A box needs a label.').waitFor();
    await stage.press('Escape', 'Escape');
    assert.deepEqual(await stored(), []);
    assert.deepEqual(await stage.boxes(), []);
  });

  it('scrolls to the selected box in the list, even when its coordinates take space', async () => {
    for (let number = 1; number <= 24; number += 1) {
      await image.draw({ ...corners, label: `part ${String(number).padStart(2, '0')}` });
    }
    await open();
    await stage.page.setViewportSize({ width: 900, height: 480 });
    for (const at of [6, 20]) {
      const option = stage.page.locator('.box-option').nth(at);
      await option.click();
      await stage.page.locator('.box-form').waitFor();
      await drawn(stage.page);
      const list = await stage.page.locator('.box-list').boundingBox();
      const box = await option.boundingBox();
      assert.ok(list && box && list.height > 100, `${list?.height}`);
      assert.ok(box.y >= list.y && box.y + box.height <= list.y + list.height + 1);
    }
  });

  it('undoes and redoes one action with one keypress', async () => {
    await open();
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    await stage.press('Enter');
    for (let step = 0; step < 5; step += 1) await stage.press('ArrowLeft');
    await stage.press('Enter');
    await stage.page.keyboard.type('jug');
    await stage.press('Enter', 'Delete');
    await stage.saved();
    assert.deepEqual(await stored(), []);
    const readPositions = async (): Promise<readonly string[]> =>
      (await image.boxes()).map(({ label, xMin }) => `${label} ${Math.round(xMin * 400)}`);
    for (const expected of ['jug 145', 'cup 145', 'cup 150']) {
      await stage.press('Control+z');
      await stage.list.getByText(new RegExp(`^${expected.replace(' ', ': left ')}`)).waitFor();
      await stage.saved();
      assert.deepEqual(await readPositions(), [expected]);
    }
    await stage.press('Control+z');
    await stage.page.getByText('No boxes yet.').waitFor();
    for (const expected of ['cup 150', 'cup 145', 'jug 145']) {
      await stage.press('Control+y');
      await stage.list.getByText(new RegExp(`^${expected.replace(' ', ': left ')}`)).waitFor();
      await stage.saved();
      assert.deepEqual(await readPositions(), [expected]);
    }
    await stage.press('Control+Shift+z');
    await stage.page.getByText('No boxes yet.').waitFor();
  });

  it('undoes steps on both sides of a pause one after the other', async () => {
    await image.draw({ ...corners, label: 'cup' });
    await open();
    await stage.press('Tab', 'ArrowLeft', 'ArrowLeft');
    await stage.setEventTime(1_000);
    await stage.press('ArrowLeft');
    await stage.setEventTime(2_001);
    await stage.press('ArrowLeft', 'Alt+ArrowLeft');
    for (const left of [97, 100]) {
      await stage.press('Control+z');
      await stage.list.getByText(new RegExp(`^cup: left ${left}\\b`)).waitFor();
    }
    await stage.saved();
  });

  it('selects the smallest box under the pointer, and the next one with the next click', async () => {
    await image.draw({ label: 'outer', xMin: 0.1, yMin: 0.1, xMax: 0.9, yMax: 0.9 });
    await image.draw({ label: 'middle', xMin: 0.2, yMin: 0.2, xMax: 0.8, yMax: 0.8 });
    await image.draw({ label: 'inner', xMin: 0.4, yMin: 0.4, xMax: 0.6, yMax: 0.6 });
    await open();
    const picked: string[] = [];
    for (let click = 0; click < 4; click += 1) {
      await stage.click(0.5, 0.5);
      picked.push(await stage.page.locator('.box-name').innerText());
    }
    assert.deepEqual(picked, ['inner', 'middle', 'outer', 'inner']);
    await stage.press('Escape');
    await stage.page.locator('.box-form').waitFor({ state: 'hidden' });
    // Draw a box within another box, which must not move.
    await stage.drag([0.42, 0.42], [0.58, 0.58]);
    await stage.page.keyboard.type('nested');
    await stage.press('Enter');
    await stage.saved();
    assert.deepEqual(await stored(), ['inner', 'middle', 'nested', 'outer']);
  });

  it('shows boxes with only one label, and without labels, including in the next image', async () => {
    for (const label of ['cup', 'cup', 'jug']) await image.draw({ ...corners, label });
    await open();
    const labels = stage.page.getByRole('button', { name: 'Labels' });
    const filter = stage.page.getByRole('combobox', { name: 'Show boxes with one label' });
    const options = (): Promise<string[]> => filter.locator('option').allInnerTexts();
    assert.deepEqual(await options(), ['All labels', 'cup (2)', 'jug (1)']);
    await filter.selectOption('jug (1)');
    assert.match((await stage.boxes()).join('|'), /^jug: [^|]*$/);
    await stage.click(0.4, 0.4);
    assert.equal(await stage.page.locator('.box-name').innerText(), 'jug');
    // A new box stays visible even if its label isn't the isolated label.
    await stage.press('b', '1');
    await stage.saved();
    assert.equal((await stage.boxes()).length, 3);
    assert.equal(await filter.inputValue(), 'cup (3)');
    await stage.surface.focus();
    await stage.press('i');
    assert.equal((await stage.boxes()).length, 4);
    assert.equal(await labels.getAttribute('aria-pressed'), 'true');
    await stage.press('i', 'l');
    assert.equal(await filter.inputValue(), 'cup (3)');
    assert.equal(await labels.getAttribute('aria-pressed'), 'false');
    await stage.showPlain(image);
    await stage.page.locator('[data-focus=draw][aria-disabled=false]').waitFor();
    assert.equal((await stage.boxes()).length, 3);
    assert.equal(await labels.getAttribute('aria-pressed'), 'false');
    await labels.click();
    assert.equal(await labels.getAttribute('aria-pressed'), 'true');
  });

  it('shows the label of a small box only while it is selected or under the pointer', async () => {
    const sides = { xMin: 0.5, xMax: 0.54, label: 'forklift' };
    await image.draw({ ...sides, yMin: 0.5, yMax: 0.56 });
    await image.draw({ ...sides, yMin: 0.57, yMax: 0.63 });
    await open();
    const upper = await stage.picturePoint(0.52, 0.53);
    const lower = await stage.picturePoint(0.52, 0.6);
    // Position at which the lower box's label is drawn in full, to the right of the upper box.
    const { x, y } = await stage.picturePoint(0.54, 0.57);
    const label = { x: x + 7, y: y - 9 };
    await waitUntil(async () => (await stage.countPixels('boxes', lower, 40)) > 0);
    assert.equal(await stage.countPixels('boxes', upper, 6), 0);
    const isLabelShown = async (): Promise<boolean> =>
      (await stage.countPixels('active', label, 4)) > 0;
    assert.equal(await isLabelShown(), false);
    await stage.page.mouse.move(lower.x, lower.y);
    await waitUntil(isLabelShown);
    await stage.page.mouse.move(5, 5);
    await waitUntil(async () => !(await isLabelShown()));
    await stage.list.getByText('top 171').click();
    await waitUntil(isLabelShown);
  });

  it('moves and resizes with the mouse within the image', async () => {
    await image.draw({ label: 'cup', xMin: 0.25, yMin: 0.25, xMax: 0.5, yMax: 0.5 });
    await open();
    const { frame } = await stage.page.evaluate(() => {
      const { clientWidth, clientHeight } =
        document.querySelector('.image-surface') ?? document.body;
      const scale = Math.min((clientWidth - 16) / 400, (clientHeight - 16) / 300);
      const [width, height] = [400 * scale, 300 * scale];
      return {
        frame: {
          x: (clientWidth - width) / 2 / clientWidth,
          y: (clientHeight - height) / 2 / clientHeight,
          width: width / clientWidth,
          height: height / clientHeight,
        },
      };
    });
    const at = (x: number, y: number): [number, number] => [
      frame.x + x * frame.width,
      frame.y + y * frame.height,
    ];
    await stage.click(...at(0.4, 0.4));
    await stage.drag(at(0.4, 0.4), at(0.9, 0.9));
    await stage.saved();
    await stage.list.getByText('left 300, top 225, 100 × 75').waitFor();
    await stage.drag(at(0.75, 0.75), at(0.5, 0.5));
    await stage.list.getByText('left 200, top 150, 200 × 150').waitFor();
    await stage.saved();
    const [box] = await image.boxes();
    assert.deepEqual([box?.xMin, box?.yMin, box?.xMax, box?.yMax], [0.5, 0.5, 1, 1]);
    assert.equal((await image.boxes()).length, 1);
  });

  it('moves between boxes with Tab, and past the last one', async () => {
    await image.draw({ ...corners, label: 'cup' });
    await image.draw({ ...corners, label: 'jug' });
    await open();
    const selected = (): Promise<string> => stage.page.locator('.box-name').innerText();
    await stage.press('Tab');
    assert.equal(await selected(), 'cup');
    await stage.press('Tab');
    assert.equal(await selected(), 'jug');
    assert.deepEqual(await stage.page.evaluate(() => window.imageStageApp.announcements), [
      'cup: left 100, top 75, 100 × 75 selected',
      'jug: left 100, top 75, 100 × 75 selected',
    ]);
    await stage.press('Shift+Tab');
    assert.equal(await selected(), 'cup');
    await stage.press('Tab', 'Tab');
    assert.ok(await stage.list.evaluate((list) => list === document.activeElement));
    // All of these keys also work in the list.
    await stage.press('ArrowDown', '2');
    await stage.saved();
    assert.deepEqual(await stored(), ['jug', 'jug']);
    const left = stage.page.getByLabel('Left');
    await left.fill('10');
    await left.press('Enter');
    await stage.list.getByText('left 10, top 75, 100 × 75').waitFor();
    await stage.list.focus();
    await stage.press('Delete');
    await stage.saved();
    assert.deepEqual(await stored(), ['jug']);
  });

  it('preserves the size of a box whose position is typed, and shows the applied values', async () => {
    await image.draw({ ...corners, label: 'cup' });
    await open();
    await stage.press('Tab');
    const type = async (field: string, pixels: string): Promise<string> => {
      const input = stage.page.getByLabel(field, { exact: true });
      await input.fill(pixels);
      await input.press('Enter');
      return input.inputValue();
    };
    assert.equal(await type('Left', '9999'), '300');
    await stage.list.getByText('left 300, top 75, 100 × 75').waitFor();
    assert.equal(await type('Left', '-50'), '0');
    await stage.list.getByText('left 0, top 75, 100 × 75').waitFor();
    // The box doesn't change, and the field shows that.
    assert.equal(await type('Left', '-50'), '0');
    assert.equal(await type('Top', '9999'), '225');
    assert.equal(await type('Width', '9999'), '400');
    assert.equal(await type('Height', '0'), '1');
    await stage.list.getByText('left 0, top 225, 400 × 1').waitFor();
    await stage.saved();
    const [box] = await image.boxes();
    assert.deepEqual([box?.xMin, box?.xMax, box?.yMin], [0, 1, 0.75]);
  });

  it('zooms to a box, and with keys, wheel, and buttons', async () => {
    await image.draw({ label: 'cup', xMin: 0.5, yMin: 0.5, xMax: 0.51, yMax: 0.51 });
    await open();
    const zoom = async (): Promise<number> =>
      parseFloat((await stage.page.locator('.image-zoom').innerText()).replace(',', ''));
    const fitting = await zoom();
    await stage.press('Tab', 'z');
    assert.ok((await zoom()) > 10 * fitting, String(await zoom()));
    await stage.press('0');
    assert.equal(await zoom(), fitting);
    await stage.press('a');
    assert.equal(await zoom(), 100);
    await stage.press('+');
    assert.equal(await zoom(), 125);
    await stage.surface.hover();
    await stage.page.mouse.wheel(0, -300);
    await stage.page.locator('.image-zoom:not(:text("125%"))').waitFor();
    assert.ok((await zoom()) > 125);
  });

  it('cancels the current action, then the selection, then ignores Escape', async () => {
    await image.draw({ ...corners, label: 'cup' });
    await open();
    const left = (): Promise<number> => stage.page.evaluate(() => window.imageStageApp.escapes);
    await stage.press('Tab', 'b', 'Enter', 'Escape');
    await stage.entry.waitFor({ state: 'hidden' });
    await stage.press('Escape', 'Tab', '?');
    await stage.page.getByText('Zoom to the box').waitFor();
    await stage.press('Escape', 'Escape');
    assert.equal(await left(), 0);
    await stage.press('Escape');
    assert.equal(await left(), 1);
    assert.deepEqual(await stored(), ['cup']);
  });

  it('reports a half-done change, and completes it or rolls it back', async () => {
    await image.draw({ ...corners, label: 'cup' });
    await open();
    for (const [act, label] of [
      ['Roll Back (Remove New Box)', 'cup'],
      ['Finish (Remove Old Box)', 'jug'],
    ] as const) {
      image.faults.fail(REMOVE, 'unreachable');
      await stage.surface.focus();
      await stage.press('Escape', 'Tab', 'Enter');
      await stage.page.keyboard.type('jug');
      await stage.press('Enter');
      await stage.problems.getByText("Couldn't finish changing jug").waitFor();
      assert.deepEqual(await stored(), ['cup', 'jug']);
      const leaving = stage.leave();
      await stage.button('Leave Anyway').waitFor();
      await stage.button(act).press('Enter');
      await stage.saved();
      assert.deepEqual(await stored(), [label]);
      assert.equal(await leaving, false);
      assert.equal(await stage.leave(), true);
    }
  });

  it('saves a new box when the user leaves after typing its label', async () => {
    await open();
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    assert.equal(await stage.leave(), true);
    assert.deepEqual(await stored(), ['cup']);
  });

  it('saves a new box when the user selects something else after typing its label', async () => {
    await open();
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    await stage.page.getByRole('application').click({ position: { x: 3, y: 3 } });
    await stage.saved();
    assert.deepEqual(await stored(), ['cup']);
  });

  it('prompts once for the label of a new box before the user leaves', async () => {
    await open();
    await stage.press('b');
    assert.equal(await stage.leave(), false);
    await stage.page.getByText('A box needs a label.').waitFor();
    assert.equal(await stage.leave(), true);
    assert.deepEqual(await stored(), []);
  });

  it('closes immediately with unsaved changes if the user chooses to', async () => {
    await open();
    image.faults.fail(ADD, 'refused');
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    await stage.press('Enter');
    await stage.problems.getByText("Couldn't save cup").waitFor();
    const first = stage.leave();
    await stage.button('Leave Anyway').waitFor();
    const second = stage.leave();
    assert.equal(await first, false);
    await stage.button('Leave Anyway').press('Enter');
    assert.equal(await second, true);
  });

  it('ImageStage.leave accepts Leave Anyway before the host has responded', async () => {
    await open();
    image.faults.fail(ADD, 'refused');
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    await stage.press('Enter');
    await stage.problems.getByText("Couldn't save cup").waitFor();
    const first = stage.leave();
    await stage.button('Leave Anyway').waitFor();
    const second = stage.page.evaluate(() => {
      const leaving = window.imageStageApp.leave();
      document.querySelector<HTMLElement>('[data-focus=leave]')?.click();
      return leaving;
    });
    assert.equal(await first, false);
    assert.equal(await second, true);
  });

  it('lists unsaved changes, and waits for running saves', async () => {
    await open();
    image.faults.fail(ADD, 'refused');
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    await stage.press('Enter');
    await stage.problems.getByText("Couldn't save cup").waitFor();
    assert.equal(await stage.saving.innerText(), '1 box not saved');
    assert.match((await stage.boxes())[0] ?? '', /not saved$/);
    const release = image.faults.blockCalls(ADD);
    await stage.button('Retry').press('Enter');
    await stage.saving.filter({ hasText: 'Saving…' }).waitFor();
    const leaving = stage.leave();
    release();
    assert.equal(await leaving, true);
    assert.deepEqual(await stored(), ['cup']);
  });

  it('finishes running saves when its panel closes, and reports failures', async () => {
    await open();
    const release = image.faults.blockCalls(ADD);
    await stage.press('b', 'Enter');
    await stage.page.keyboard.type('cup');
    await stage.press('Enter', 'b', 'Enter');
    await stage.page.keyboard.type('jug');
    await stage.press('Enter');
    await stage.list.getByText(/^jug/).waitFor();
    image.faults.fail(ADD, 'unreachable');
    stage.session.dispose();
    release();
    await waitUntil(() => stage.unfinished.length > 0);
    assert.deepEqual(stage.unfinished, [1]);
    assert.deepEqual(await stored(), ['jug']);
  });

  it('shows the changes of other users after a refresh', async () => {
    const cup = await image.draw({ ...corners, label: 'cup' });
    await open();
    await image.draw({ ...corners, label: 'jug' });
    await image.erase(cup);
    stage.refresh();
    await stage.list.getByText(/^jug/).waitFor();
    assert.equal((await stage.boxes()).length, 1);
  });

  it('changes nothing with a read-only key', async () => {
    await image.draw({ ...corners, label: 'cup' });
    stage = await ImageStagePage.open(browser, { image, files, readOnly: true });
    await stage.showPlain(image);
    await stage.page.getByText("Your API key doesn't have permission to edit boxes.").waitFor();
    await stage.press('b', 'Enter', '1', 'Delete');
    await stage.drag([0.2, 0.2], [0.8, 0.8]);
    assert.equal(await stage.entry.isVisible(), false);
    assert.equal(await stage.button('Draw Box').isVisible(), false);
    assert.deepEqual(await stored(), ['cup']);
  });
});
