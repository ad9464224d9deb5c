import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { JobProgress } from '../../src/shared/training';
import { sharedBrowser } from './support/sharedBrowser';
import { FakeTrainingHost, logLines, TrainingPage } from './support/trainingPage';
import { type AppFiles, bundleApp } from './support/webviewPage';

/** Returns metrics for a number of epochs. */
function createProgress(last: number, names: readonly string[] = ['loss']): JobProgress {
  const epochs = Array.from({ length: last }, (_, index) => index + 1);
  const values = epochs.map((epoch) => 1 / epoch);
  return {
    epoch: last,
    epochs: 400,
    losses: names.map((name) => ({ name, epochs, values })),
    qualities: [],
  };
}

describe('the chart of a running training', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('training')]);
  });

  beforeEach(async () => {
    host = new FakeTrainingHost();
    host.selected = 'j5';
    host.lines = logLines(1);
    host.progress = createProgress(20);
    opened = await TrainingPage.open(browser, { host, files });
    await opened.page.getByText('Epoch 20 of 400').waitFor();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  const chart = (): Locator => opened.page.getByRole('region', { name: 'Loss by epoch' });
  const cursor = (): Promise<string> => chart().locator('.chart-cursor').innerText();
  const press = async (...keys: readonly string[]): Promise<void> => {
    await chart().getByRole('group').focus();
    for (const key of keys) await opened.page.keyboard.press(key);
  };

  /** Adds further epochs to the progress. */
  async function goOn(progress: JobProgress): Promise<void> {
    host.progress = progress;
    host.lines.push(...logLines(1));
    opened.webview.notify('logChanged', { job: 'j5' });
    await opened.page.getByText(`Epoch ${String(progress.epoch)} of 400`).waitFor();
  }

  /** Uses the mouse to find the epochs at both ends of the visible range. */
  async function seen(): Promise<readonly [string, string]> {
    const box = await chart().locator('.u-over').boundingBox();
    assert.ok(box);
    const epochAt = async (left: number): Promise<string> => {
      await opened.page.mouse.move(box.x + left, box.y + 40);
      return /Epoch (\d+)/.exec(await cursor())?.[1] ?? '';
    };
    return [await epochAt(1), await epochAt(box.width - 2)];
  }

  async function drag(from: number, to: number): Promise<void> {
    const box = await chart().locator('.u-over').boundingBox();
    assert.ok(box);
    await opened.page.mouse.move(box.x + from * box.width, box.y + 40);
    await opened.page.mouse.down();
    await opened.page.mouse.move(box.x + to * box.width, box.y + 40, { steps: 4 });
    await opened.page.mouse.up();
  }

  /** Returns the position of the cursor line within the plot, from 0 to 1. */
  async function cursorLine(): Promise<number> {
    const [over, line] = await Promise.all(
      ['.u-over', '.u-cursor-x'].map((name) => chart().locator(name).boundingBox()),
    );
    assert.ok(over && line);
    return (line.x - over.x) / over.width;
  }

  it('preserves its cursor at the epoch in the same canvas', async () => {
    const canvas = await chart().locator('canvas').elementHandle();
    await press('Home', 'ArrowRight');
    assert.equal(await cursor(), 'Epoch 2 · A loss: 0.5');
    await goOn(createProgress(39));
    assert.equal(await cursor(), 'Epoch 2 · A loss: 0.5');
    assert.ok(Math.abs((await cursorLine()) - 1 / 38) < 0.01);
    await press('ArrowRight');
    assert.equal(await cursor(), 'Epoch 3 · A loss: 0.333333');
    assert.equal(await canvas.evaluate((one) => one.isConnected), true);
    // The keyboard moves the cursor from epoch to epoch, so it has no vertical position.
    assert.equal(await chart().locator('.u-cursor-y').count(), 0);
    assert.deepEqual(await seen(), ['1', '39']);
  });

  it('preserves its zoom', async () => {
    await drag(0.25, 0.5);
    const before = await seen();
    assert.deepEqual(before, ['6', '10']);
    await goOn(createProgress(40));
    assert.deepEqual(await seen(), before);
    await press('0');
    assert.deepEqual(await seen(), ['1', '40']);
  });

  it('follows new points if the end was visible', async () => {
    await drag(0.5, 0.999);
    assert.deepEqual(await seen(), ['11', '20']);
    await goOn(createProgress(30));
    assert.deepEqual(await seen(), ['11', '30']);
  });

  it('leaves no mark after dragging', async () => {
    await drag(0.25, 0.5);
    assert.equal(
      await chart()
        .locator('.u-select')
        .evaluate((one) => one.clientWidth),
      0,
    );
  });

  it('scrolls with the keyboard at its zoom', async () => {
    await drag(0.25, 0.5);
    await press('End');
    assert.equal(await cursor(), 'Epoch 20 · A loss: 0.05');
    assert.ok((await cursorLine()) <= 1);
    assert.deepEqual(await seen(), ['16', '20']);
  });

  it('zooms around the cursor, and within the limits', async () => {
    await press('Home', ...Array<string>(9).fill('ArrowRight'));
    await press('+', '+');
    assert.match(await cursor(), /^Epoch 10 /);
    assert.ok(Math.abs((await cursorLine()) - 0.5) < 0.02);
    await press('-', '-', '-', '-', '-');
    assert.match(await cursor(), /^Epoch 10 /);
    assert.deepEqual(await seen(), ['1', '20']);
  });

  it('zooms in to one point at most', async () => {
    await press('Home', ...Array<string>(9).fill('ArrowRight'));
    await press(...Array<string>(60).fill('+'));
    assert.deepEqual(await seen(), ['10', '10']);
    await press('0');
    assert.deepEqual(await seen(), ['1', '20']);
  });

  it('preserves cursor and zoom in another theme and with a new metric', async () => {
    await drag(0.25, 0.5);
    await press('ArrowLeft');
    const before = await cursor();
    assert.match(before, /^Epoch \d+ · A loss/);
    const epoch = /\d+/.exec(before)?.[0] ?? '';
    await opened.page.evaluate(() => document.body.classList.add('vscode-high-contrast'));
    await opened.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await cursor(), before);
    const sample = chart().locator('.figure-table line').first();
    const color = 'rgb(1, 2, 3)';
    await opened.page.evaluate((one) => {
      document.documentElement.style.setProperty('--vscode-charts-blue', one);
      document.body.classList.remove('vscode-high-contrast');
    }, color);
    await opened.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await sample.getAttribute('stroke'), color);
    await goOn(createProgress(30, ['loss', 'val_loss']));
    assert.match(await cursor(), new RegExp(`^Epoch ${epoch} · A loss.* · B val_loss`));
    assert.deepEqual(await seen(), ['6', '10']);
  });

  it('resets for another job', async () => {
    await drag(0.25, 0.5);
    await press('ArrowRight');
    await opened.rows.nth(2).click();
    await opened.page.getByRole('heading', { level: 2, name: 'fruit 1.2.0' }).waitFor();
    await chart().getByRole('table').waitFor();
    assert.equal(await cursor(), '');
    assert.deepEqual(await seen(), ['1', '20']);
  });

  it('accepts epochs of any size', async () => {
    await goOn({
      epoch: 3,
      epochs: 400,
      qualities: [],
      losses: [{ name: 'loss', epochs: [1, 3_000_000_000], values: [1, 0.5] }],
    });
    await press('End');
    assert.equal(await cursor(), 'Epoch 3,000,000,000 · A loss: 0.5');
  });
});
