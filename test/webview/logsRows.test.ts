import assert from 'node:assert/strict';
import { waitUntil } from '../support/waitUntil';
import type { FakeLogHost } from './support/fakeLogHost';
import type { LogPage } from './support/logPage';
import { logSuite } from './support/logSuite';

const MILLION = 1_000_000;
/** Maximum number of row elements; more elements would make drawing slow. */
const MAX_DRAWN_ROWS = 200;

const CHANGES = 45;

/**
 * Source text of a script for the page, because the page doesn't have the helpers that this file's
 * compiler adds.
 */
const NOTE_FRAMES = `
  window.frameTimes = [];
  const note = (time) => { window.frameTimes.push(time); requestAnimationFrame(note); };
  requestAnimationFrame(note);`;

describe('a million log lines in a browser', function () {
  this.timeout(120_000);
  const panel = logSuite();
  let host: FakeLogHost;
  let opened: LogPage;

  beforeEach(async () => {
    ({ host } = panel);
    host.end = MILLION;
    opened = await panel.open();
  });

  const numbers = async (): Promise<readonly number[]> =>
    (await opened.seen()).map(({ number }) => number);

  /** Asserts that the visible rows have no gaps and that the document contains few other rows. */
  async function assertWhole(): Promise<readonly number[]> {
    const seen = await numbers();
    assert.ok(seen.length > 10, `${seen.length} rows`);
    assert.deepEqual(
      seen,
      seen.map((_, index) => (seen[0] ?? NaN) + index),
    );
    assert.ok((await opened.page.locator('.row').count()) <= MAX_DRAWN_ROWS);
    return seen;
  }

  it('are shown newest first and followed', async () => {
    assert.equal((await assertWhole()).at(-1), MILLION - 1);
    host.end += 60;
    host.notifyChange();
    await opened.waitUntilIdle();
    assert.equal((await assertWhole()).at(-1), MILLION + 59);
    assert.equal(await opened.list.getAttribute('aria-rowcount'), String(MILLION + 60));
  });

  it('stay at the end when the panel height changes', async () => {
    for (const height of [400, 900, 500]) {
      await opened.page.setViewportSize({ width: 700, height });
      await waitUntil(async () => (await numbers()).at(-1) === MILLION - 1);
      assert.equal(await opened.button(/Scroll to End/).isVisible(), false);
    }
  });

  it('stay at the row being read when the panel becomes taller', async () => {
    await opened.page.setViewportSize({ width: 700, height: 400 });
    await waitUntil(async () => (await numbers()).at(-1) === MILLION - 1);
    await opened.wheel(-200);
    await opened.button(/Scroll to End/).waitFor();
    await opened.waitUntilIdle();
    const [before] = await numbers();
    await opened.page.setViewportSize({ width: 700, height: 450 });
    await opened.waitUntilIdle();
    assert.equal((await numbers())[0], before);
  });

  it('can be scrolled beyond the limits of a browser', async () => {
    await opened.drag(0.5);
    const middle = await assertWhole();
    assert.ok(Math.abs((middle[0] ?? 0) - MILLION / 2) < 100, `${middle[0]}`);
    await opened.drag(0);
    assert.equal((await assertWhole())[0], 0);
    await opened.drag(1);
    assert.equal((await assertWhole()).at(-1), MILLION - 1);
    await opened.list.press('Home');
    await opened.waitUntilIdle();
    assert.equal((await assertWhole())[0], 0);
    await opened.list.press('End');
    await opened.waitUntilIdle();
    assert.equal((await assertWhole()).at(-1), MILLION - 1);
  });

  it('scroll row by row with the wheel at any position', async () => {
    await opened.drag(0.5);
    const [before] = await opened.seen();
    assert.ok(before);
    await opened.wheel(-100);
    await opened.page.waitForFunction(
      ([id, top]) => {
        const row = document.getElementById(`row-${id}`);
        const list = document.querySelector('.lines');
        if (!row || !list) return false;
        const at = row.getBoundingClientRect().top - list.getBoundingClientRect().top;
        return Math.abs(at - (Number(top) + 100)) < 1.5;
      },
      [before.number, before.top],
    );
    await assertWhole();
  });

  it('stay at the row being read while rows are added, removed, and moved', async () => {
    await opened.drag(0.5);
    const before = await opened.seen();
    const [top] = before;
    assert.ok(top);
    // Drop rows at the start and add rows at the end.
    host.first += 5_000;
    host.end += 5_000;
    host.notifyChange();
    await opened.waitUntilIdle();
    assert.deepEqual(await opened.seen(), before);
    // Add older rows.
    host.first -= 1_000;
    host.notifyChange();
    await opened.waitUntilIdle();
    assert.deepEqual(await opened.seen(), before);
    // Insert three late lines before the visible lines.
    const row = host.rowAt.bind(host);
    host.rowAt = (index) => row(index >= 100_000 ? index - 3 : index);
    host.end += 3;
    host.notifyChange({ moves: [{ at: 100_000, by: 3 }] });
    await opened.waitUntilIdle();
    assert.deepEqual(await opened.seen(), before);
    await opened.wheel(100);
    await opened.getRow((before.at(-1)?.number ?? 0) + 3).waitFor();
    await opened.waitUntilIdle();
    await assertWhole();
  });

  it('are requested again after a large move', async () => {
    await opened.drag(0.5);
    const [top] = await numbers();
    assert.ok(top !== undefined);
    // Insert a late line before each row from here on.
    const row = host.rowAt.bind(host);
    const at = top + 2;
    host.rowAt = (index) =>
      index < at || index >= at + 200
        ? row(index < at ? index : index - 100)
        : (index - at) % 2 === 0
          ? { ...row(index), key: -index }
          : row(at + (index - at - 1) / 2);
    host.end += 100;
    host.notifyChange({ moves: [{ at, by: 100 }] });
    await opened.waitUntilIdle();
    await opened.getRow(-(at + 2)).waitFor();
    await opened.waitUntilIdle();
    assert.deepEqual((await numbers()).slice(0, 6), [top, top + 1, -at, at, -(at + 2), at + 1]);
  });

  it('render smoothly while 15 changes per second add 60 lines each', async () => {
    await opened.page.evaluate(NOTE_FRAMES);
    const devTools = await opened.page.context().newCDPSession(opened.page);
    // Measure processor time, which doesn't depend on how busy the computer is.
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async (): Promise<number> => {
      const { metrics } = await devTools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
    };
    const before = await busy();
    for (let change = 0; change < CHANGES; change += 1) {
      host.first += 60;
      host.end += 60;
      host.notifyChange();
      await new Promise((resolve) => setTimeout(resolve, 66));
    }
    await opened.waitUntilIdle();
    assert.equal((await assertWhole()).at(-1), host.end - 1);
    const cost = ((await busy()) - before) * 1_000;
    const times = await opened.page.evaluate<number[]>('window.frameTimes');
    const gaps = times
      .slice(1)
      .map((time, index) => time - (times[index] ?? 0))
      .sort((a, b) => a - b);
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
    const at = (part: number): string => (gaps[Math.floor(gaps.length * part)] ?? 0).toFixed(1);
    console.log(
      `      ${(gaps.length / seconds).toFixed(0)} frames/s; median ${at(0.5)} ms, 99 % ${at(0.99)} ms; ` +
        `${(cost / CHANGES).toFixed(1)} ms of the processor for each change`,
    );
    // The next change arrives 66 ms later, so each change must be processed within this time.
    assert.ok(cost / CHANGES <= 66);
  });
});
