import assert from 'node:assert/strict';
import { everyLine, type LineRow } from '../../src/shared/logs';
import { findAxeViolations } from './support/axe';
import { type FakeLogHost, noon, numberedRow } from './support/fakeLogHost';
import type { LogPage } from './support/logPage';
import { logSuite } from './support/logSuite';
import { type ThemeKind, themeKinds } from './support/themes';

const DAY = 86_400_000;

describe('log lines of machines with clock skew in a browser', function () {
  this.timeout(120_000);
  const panel = logSuite();
  let host: FakeLogHost;
  let opened: LogPage;

  beforeEach(() => {
    ({ host } = panel);
    host.end = 6;
    skew(3, 400 * DAY);
    skew(4, -3 * DAY);
    skew(5, -90_000);
  });

  /** Skews the clock of a row's machine by a number of milliseconds. */
  function skew(number: number, milliseconds: number): void {
    const row = numberedRow(number) as LineRow;
    const receivedAt = noon + number * 1_000;
    host.rows.set(number, {
      ...row,
      at: receivedAt + milliseconds,
      receivedAt,
      skew: milliseconds,
    });
  }

  async function open(theme: ThemeKind, order: 'time' | 'receipt' = 'receipt'): Promise<void> {
    const state = { panel: 'panel 1', filter: everyLine, utc: true, order };
    opened = await panel.open({ theme, state });
  }

  it('show the skew, and the receipt time in the tooltip', async () => {
    await open('dark');
    const marks = opened.page.locator('.skew');
    assert.deepEqual(await marks.allInnerTexts(), [
      '⚠ 400 days ahead',
      '⚠ 3 days behind',
      '⚠ 1 min behind',
    ]);
    const titles = await Promise.all((await marks.all()).map((mark) => mark.getAttribute('title')));
    assert.match(titles[0] ?? '', /^Received at 2026-11-21 12:00:03\.000 UTC, earlier/);
    assert.match(titles[1] ?? '', /^Received at 2026-11-21 12:00:04\.000 UTC, long/);
    assert.equal(await opened.getRow(2).locator('.skew').count(), 0);
  });

  it('do not start a new day in the order of receipt', async () => {
    await open('dark');
    assert.equal(await opened.page.locator('.day-start').count(), 0);
    await opened.webview.close();
    await open('dark', 'time');
    assert.ok((await opened.page.locator('.day-start').count()) > 0);
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      await open(theme);
      assert.deepEqual(await findAxeViolations(opened.page), []);
      await opened.getRow(4).click();
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
