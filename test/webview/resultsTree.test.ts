import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { axeComplaints } from './support/axe';
import { FakeResultHost } from './support/fakeResultHost';
import { waitUntil } from './support/logPage';
import { bundleResults, ResultsPage } from './support/resultsPage';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, startBrowser } from './support/webviewPage';

describe('a query result as JSON', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeResultHost;
  let opened: ResultsPage;

  before(async () => {
    [browser, files] = await Promise.all([startBrowser(), bundleResults()]);
  });

  after(() => browser.close());

  beforeEach(() => {
    host = new FakeResultHost();
  });

  afterEach(async () => {
    const { complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function openTree(theme?: ThemeKind): Promise<void> {
    opened = await ResultsPage.open(browser, { host, files, ...(theme && { theme }) });
    await opened.show();
    await opened.button('JSON').click();
    await line('Row 1').waitFor();
    await tree().focus();
  }

  const tree = (): Locator => opened.page.getByRole('tree');
  const line = (text: string | RegExp): Locator =>
    opened.page.getByRole('treeitem').filter({ hasText: text }).first();
  const active = (): Locator => opened.page.locator('.active-line');

  it('tells each row in brief, and opens it level by level', async () => {
    await openTree();
    await line('data.readings.note: reading 0').waitFor();
    await opened.press('ArrowRight');
    const data = line(/^[▸▾]data:/);
    await data.waitFor();
    assert.equal(await data.innerText(), '▸\ndata:\n{1 field}');
    assert.equal(await data.getAttribute('aria-level'), '2');
    assert.equal(await data.getAttribute('aria-posinset'), '3');
    assert.equal(await data.getAttribute('aria-setsize'), '3');
    await opened.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    await line(/^[▸▾]readings:/).waitFor();
    await opened.press('ArrowRight', 'ArrowRight');
    await line(/^note:/).waitFor();
    assert.match(await line(/^note:/).innerText(), /"reading 0"/);
    assert.equal(
      await line(/^celsius:/)
        .locator('.kind-number')
        .getAttribute('title'),
      'Number',
    );
    await opened.press('ArrowLeft', 'ArrowLeft');
    await active().filter({ hasText: /data:/ }).waitFor();
    await opened.press('ArrowLeft');
    await line(/^[▸▾]readings:/).waitFor({ state: 'detached' });
    await opened.press('ArrowLeft', 'ArrowLeft');
    await data.waitFor({ state: 'detached' });
    await active().and(opened.page.locator('[aria-expanded=false]')).waitFor();
    assert.equal(
      await tree().getAttribute('aria-activedescendant'),
      await active().getAttribute('id'),
    );
  });

  it('goes to the last of a million rows, with rows open before it', async () => {
    host.rows = 1_000_000;
    await openTree();
    await opened.press('ArrowRight');
    await line(/^[▸▾]data:/).waitFor();
    await opened.press('End');
    await line('Row 1,000,000').waitFor();
    await line('data.readings.note: reading 999999').waitFor();
    assert.ok((await opened.page.getByRole('treeitem').count()) < 120);
    await opened.press('ArrowRight', 'ArrowDown');
    await line(/^time_received:/).waitFor();
    await opened.press('Home');
    await active()
      .filter({ hasText: /Row 1(?!\d)/ })
      .waitFor();
    await line(/^[▸▾]data:/).waitFor();
  });

  it('shows long lists a piece at a time', async () => {
    host.row = () => ({ list: Array.from({ length: 450 }, (_, number) => `item ${number}`) });
    await openTree();
    await opened.press('ArrowRight');
    await line('[450 items]').waitFor();
    await opened.press('ArrowDown', 'ArrowRight');
    await line('"item 0"').waitFor();
    await opened.press('End');
    await line('Row 300').waitFor();
    await opened.press('Home', ...Array<string>(202).fill('ArrowDown'));
    await active().filter({ hasText: 'Show more: 200 of 450 are shown' }).waitFor();
    await opened.press('Enter');
    await line('"item 200"').waitFor();
    await active().filter({ hasText: '"item 200"' }).waitFor();
  });

  it('shows a row as a whole and copies it', async () => {
    await openTree();
    await opened.press('ArrowDown', 'Control+c', 'Enter');
    await opened.page.getByRole('heading', { name: 'Row 2' }).waitFor();
    await opened.press('Escape');
    assert.ok(await tree().evaluate((element) => element === document.activeElement));
    await waitUntil(() => host.sentOf('copyResultCell').length > 0);
    assert.deepEqual(host.sentOf('copyResultCell'), [{ result: 'result 1', place: 1 }]);
  });

  it('opens the row of a cell that is viewed in the table', async () => {
    opened = await ResultsPage.open(browser, { host, files });
    await opened.show();
    await opened.cell('reading 0').waitFor();
    await opened.grid.focus();
    await opened.press('PageDown', 'Enter');
    const place = Number(/\d+$/.exec(await opened.page.locator('.viewer-title').innerText())?.[0]);
    await opened.button('Show as Tree').click();
    await line(`Row ${place}`).and(opened.page.locator('[aria-expanded=true]')).waitFor();
    await line(/^[▸▾]data:/).waitFor();
    assert.ok(await tree().evaluate((element) => element === document.activeElement));
  });

  it('shows other rows when another text is found, and hostile keys and texts as text', async () => {
    host.row = (number) => ({ [`<b>${number}`]: '<img src=x onerror="alert(1)">', '': number });
    await openTree();
    await opened.press('ArrowRight');
    await line('<b>0:').waitFor();
    await opened.find.fill('299');
    await opened.find.press('Enter');
    await line(/Row 1(?!\d)/)
      .filter({ hasText: ': 299' })
      .waitFor();
    assert.equal(await opened.page.getByRole('treeitem').count(), 1);
    assert.equal(await opened.page.locator('.results img, .results b').count(), 0);
  });

  for (const theme of themeKinds) {
    it(`has no fault that axe finds in ${theme}`, async () => {
      await openTree(theme);
      await opened.press('ArrowRight');
      await line(/^[▸▾]data:/).waitFor();
      assert.deepEqual(await axeComplaints(opened.page), []);
    });
  }
});
