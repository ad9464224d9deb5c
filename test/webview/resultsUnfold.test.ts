import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { findAxeViolations } from './support/axe';
import { resultsSuite } from './support/resultsSuite';
import { type ThemeKind, themeKinds } from './support/themes';

describe('lists in the cells of a query result', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  async function openTable(theme?: ThemeKind): Promise<void> {
    results.host.row = (number) => ({
      note: `reading ${number}`,
      boxes: [{ label: `box ${number}`, at: [1, 2] }, { label: 'other' }],
      none: [],
    });
    await results.open({ theme });
    await results.opened.cell('reading 0').waitFor();
    await results.opened.grid.focus();
  }

  const boxes = (row: number): Locator =>
    results.opened.page.locator(`[aria-rowindex="${row + 2}"] > [aria-colindex="2"]`);
  const tree = (): Locator => results.opened.page.getByRole('tree');
  const line = (text: string): Locator =>
    results.opened.page.getByRole('treeitem').filter({ hasText: text }).first();

  it('expand below their row level by level, and collapse again, with the keyboard', async () => {
    await openTable();
    const { opened, host } = results;
    assert.equal(await boxes(0).getAttribute('aria-expanded'), 'false');
    await opened.press('ArrowRight', 'Shift+Enter');
    await line('{2 fields}').waitFor();
    assert.equal(await boxes(0).getAttribute('aria-expanded'), 'true');
    assert.equal(await tree().getAttribute('aria-label'), 'boxes in row 1, expanded');
    assert.deepEqual(host.getSent('resultNodes'), [
      { result: 'result 1', rowIndex: 0, column: 'c1', path: [], start: 0, end: 200 },
    ]);
    await opened.press('ArrowDown', 'ArrowRight');
    await line('"box 0"').waitFor();
    const [row, next] = await Promise.all(
      [2, 3].map((index) => opened.page.locator(`[aria-rowindex="${index}"]`).boundingBox()),
    );
    assert.ok(row && next && row.height > 120 && Math.abs(row.y + row.height - next.y) < 1);
    await opened.press('Escape');
    assert.equal(await tree().count(), 0);
    assert.equal(await boxes(0).getAttribute('aria-expanded'), 'false');
    assert.ok(await opened.grid.evaluate((grid) => grid === document.activeElement));
  });

  it('expand with their icon, are restored after scrolling, and collapse when rows are sorted', async () => {
    await openTable();
    const { opened } = results;
    await boxes(1).click({ position: { x: 10, y: 10 } });
    await line('{2 fields}').waitFor();
    await opened.grid.focus();
    await opened.press('Control+End');
    await opened.cell('reading 299').waitFor();
    assert.equal(await tree().count(), 0);
    await opened.press('Control+Home');
    await line('{2 fields}').waitFor();
    await opened.page.getByRole('columnheader', { name: 'note' }).click();
    await opened.page.getByText('Sorted by note').waitFor();
    await tree().waitFor({ state: 'detached' });
  });

  it('return the focus to the table when they are scrolled out of view', async () => {
    await openTable();
    const { opened } = results;
    await opened.press('ArrowRight', 'Shift+Enter');
    await opened.page.locator('[role="tree"]:focus').waitFor();
    await opened.grid.evaluate((grid) => grid.scrollTo({ top: 4_000 }));
    await opened.page.locator('[role="grid"]:focus').waitFor();
    await tree().waitFor({ state: 'detached' });
    await opened.press('ArrowDown');
    await opened.cell('reading 1').waitFor();
  });

  it('return the focus to the table when rows are sorted again at the end', async () => {
    results.host.status = { state: 'running' };
    await openTable();
    const { opened, host } = results;
    await opened.page.getByRole('columnheader', { name: 'note' }).click();
    await opened.page.getByText('Sorted by note').waitFor();
    // The rows are loaded only once their order is known.
    await opened.webview.waitUntilIdle();
    await opened.press('ArrowDown', 'ArrowRight', 'Shift+Enter');
    await opened.page.locator('[role="tree"]:focus').waitFor();
    host.rows = 400;
    host.status = {};
    host.notifyStatus();
    await opened.page.locator('[role="grid"]:focus').waitFor();
    await tree().waitFor({ state: 'detached' });
  });

  it('are distinguished from empty ones, which can still be viewed', async () => {
    await openTable();
    const { opened } = results;
    const none = opened.page.locator('[aria-rowindex="2"] > [aria-colindex="3"]');
    assert.equal(await none.getAttribute('aria-expanded'), null);
    await opened.press('End', 'Shift+Enter');
    assert.equal(await tree().count(), 0);
    await opened.press('ArrowLeft', 'Enter');
    await opened.page.getByRole('heading', { name: 'boxes in row 1' }).waitFor();
  });

  for (const theme of themeKinds) {
    it(`are accessible in ${theme}`, async () => {
      await openTable(theme);
      await results.opened.press('ArrowRight', 'Shift+Enter');
      await line('{2 fields}').waitFor();
      assert.deepEqual(await findAxeViolations(results.opened.page), []);
    });
  }
});
