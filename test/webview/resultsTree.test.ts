import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { resultsSuite } from './support/resultsSuite';
import { type ThemeKind, themeKinds } from './support/themes';

describe('a query result as JSON', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  async function openTree(theme?: ThemeKind): Promise<void> {
    await results.open({ theme });
    await results.opened.button('JSON').click();
    await line('Row 1').waitFor();
    await tree().focus();
  }

  const tree = (): Locator => results.opened.page.getByRole('tree');
  const line = (text: string | RegExp): Locator =>
    results.opened.page.getByRole('treeitem').filter({ hasText: text }).first();
  const active = (): Locator => results.opened.page.locator('.active-line');

  it('shows a summary of each row, and expands it level by level', async () => {
    await openTree();
    await line('data.readings.note: reading 0').waitFor();
    await results.opened.press('ArrowRight');
    const data = line(/^[▸▾]data:/);
    await data.waitFor();
    assert.equal(await data.innerText(), '▸\ndata:\n{1 field}');
    assert.equal(await data.getAttribute('aria-level'), '2');
    assert.equal(await data.getAttribute('aria-posinset'), '3');
    assert.equal(await data.getAttribute('aria-setsize'), '3');
    await results.opened.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    await line(/^[▸▾]readings:/).waitFor();
    await results.opened.press('ArrowRight', 'ArrowRight');
    await line(/^note:/).waitFor();
    assert.match(await line(/^note:/).innerText(), /"reading 0"/);
    assert.equal(
      await line(/^celsius:/)
        .locator('.kind-number')
        .getAttribute('title'),
      'Number',
    );
    await results.opened.press('ArrowLeft', 'ArrowLeft');
    await active().filter({ hasText: /data:/ }).waitFor();
    await results.opened.press('ArrowLeft');
    await line(/^[▸▾]readings:/).waitFor({ state: 'detached' });
    await results.opened.press('ArrowLeft', 'ArrowLeft');
    await data.waitFor({ state: 'detached' });
    await active().and(results.opened.page.locator('[aria-expanded=false]')).waitFor();
    assert.equal(
      await tree().getAttribute('aria-activedescendant'),
      await active().getAttribute('id'),
    );
  });

  it('scrolls to the last of a million rows, with expanded rows before it', async () => {
    results.host.rows = 1_000_000;
    await openTree();
    await results.opened.press('ArrowRight');
    await line(/^[▸▾]data:/).waitFor();
    await results.opened.press('End');
    await line('Row 1,000,000').waitFor();
    await line('data.readings.note: reading 999999').waitFor();
    assert.ok((await results.opened.page.getByRole('treeitem').count()) < 120);
    await results.opened.press('ArrowRight', 'ArrowDown');
    await line(/^time_received:/).waitFor();
    await results.opened.press('Home');
    await active()
      .filter({ hasText: /Row 1(?!\d)/ })
      .waitFor();
    await line(/^[▸▾]data:/).waitFor();
  });

  it('shows long lists in chunks', async () => {
    results.host.row = () => ({
      list: Array.from({ length: 450 }, (_, number) => `item ${number}`),
    });
    await openTree();
    await results.opened.press('ArrowRight');
    await line('[450 items]').waitFor();
    await results.opened.press('ArrowDown', 'ArrowRight');
    await line(/^0:/).waitFor();
    await results.opened.press('End');
    await line('Row 300').waitFor();
    await results.opened.press('Home', ...Array<string>(202).fill('ArrowDown'));
    await active().filter({ hasText: 'Show more (200 of 450 shown)' }).waitFor();
    await results.opened.press('Enter');
    await active().filter({ hasText: '"item 200"' }).waitFor();
  });

  it('preserves the focused row when values arrive above it', async () => {
    const read = Promise.withResolvers<undefined>();
    results.host.beforeNodes = () => read.promise;
    await openTree();
    await results.opened.press('ArrowRight', 'End');
    await active().filter({ hasText: 'Row 300' }).waitFor();
    read.resolve(undefined);
    await active()
      .and(results.opened.page.locator('[data-line="302"]'))
      .filter({ hasText: 'Row 300' })
      .waitFor();
  });

  it('shows and copies a complete row', async () => {
    await openTree();
    await results.opened.press('ArrowDown', 'Control+c', 'Enter');
    await results.opened.page.getByRole('heading', { name: 'Row 2' }).waitFor();
    await results.opened.press('Escape');
    assert.ok(await tree().evaluate((element) => element === document.activeElement));
    await waitUntil(() => results.host.getSent('copyResultCell').length > 0);
    assert.deepEqual(results.host.getSent('copyResultCell'), [{ result: 'result 1', rowIndex: 1 }]);
  });

  it('expands the row of a cell that is open in the table', async () => {
    await results.open();
    await results.opened.cell('reading 0').waitFor();
    await results.opened.grid.focus();
    await results.opened.press('PageDown', 'Enter');
    await results.opened.page.locator('.viewer-text').waitFor();
    const rowNumber = Number(
      /\d+$/.exec(await results.opened.page.locator('.viewer-title').innerText())?.[0],
    );
    await results.opened.button('Show as Tree').click();
    await line(`Row ${rowNumber}`)
      .and(results.opened.page.locator('[aria-expanded=true]'))
      .waitFor();
    await line(/^[▸▾]data:/).waitFor();
    assert.ok(await tree().evaluate((element) => element === document.activeElement));
  });

  it('shows other rows for another search, and hostile keys and texts as text', async () => {
    results.host.row = (number) => ({
      [`<b>${number}`]: '<img src=x onerror="alert(1)">',
      '': number,
    });
    await openTree();
    await results.opened.press('ArrowRight');
    await line(/^<b>0:/).waitFor();
    await results.opened.find.fill('299');
    await results.opened.find.press('Enter');
    await line(/Row 1(?!\d)/)
      .filter({ hasText: ': 299' })
      .waitFor();
    assert.equal(await results.opened.page.getByRole('treeitem').count(), 1);
    assert.equal(await results.opened.page.locator('.results img, .results b').count(), 0);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await openTree(theme);
      await results.opened.press('ArrowRight');
      await line(/^[▸▾]data:/).waitFor();
      assert.deepEqual(await findAxeViolations(results.opened.page), []);
    });
  }
});
