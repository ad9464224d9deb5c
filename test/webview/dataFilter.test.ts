import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Browser, Locator } from 'playwright-core';
import { type DataFilter, everyData } from '../../src/shared/data/dataFilter';
import type { FilterNames } from '../../src/shared/data/dataPanel';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { DataPage } from './support/dataPage';
import { FakeDataHost, noon } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { themeKinds, type ThemeKind } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

const opened: DataFilter = { ...everyData, organizations: ['org-1'], locations: ['loc-1'] };
const names: FilterNames = {
  'org-1': { name: 'Acme', path: 'Acme' },
  'loc-1': { name: 'Line 3', path: 'Plant › Hall › Line 3' },
  'loc-2': { name: 'Line 4', path: 'Plant › Hall › Line 4' },
  'machine-1': { name: 'rover-07', path: 'Plant › Hall › Line 3 › rover-07' },
  'set-1': { name: 'Bolts', path: 'Acme › Bolts' },
};
const hostile = `<img src=x onerror="alert(1)">\u202e\n${'long '.repeat(2_000)}`;

describe('the filter of the data panel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeDataHost;
  let data: DataPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('data')]);
  });

  beforeEach(() => {
    host = new FakeDataHost();
    host.counts = { images: 0, pointClouds: 0, files: 0, readings: 0 };
    host.filter = opened;
    host.start = { opened };
  });

  afterEach(async () => {
    const { pageErrors: complaints } = data.webview;
    await data.close();
    assert.deepEqual(complaints, []);
  });

  async function open(options: { theme?: ThemeKind; state?: unknown } = {}): Promise<void> {
    data = await DataPage.open(browser, { host, files, ...options });
    const { generation } = host;
    data.webview.notify('filterNamed', { generation, names });
    await chips().first().waitFor();
  }

  const chips = (): Locator => data.page.locator('.filter-chips .filter-chip');
  const chipTexts = (): Promise<string[]> =>
    data.page.locator('.filter-chips .chip-text').allInnerTexts();
  const field = (label: string): Locator =>
    data.page.locator(`.filter-form :is(input, select)[aria-label="${label}"]`);
  /**
   * Returns the suggestions of a combobox. Uses the class, because select elements also have
   * options.
   */
  const options = (): Locator => data.page.locator('.combo-option');
  const press = (keys: string): Promise<void> => data.page.keyboard.press(keys);
  const applied = (): readonly DataFilter[] =>
    host.getSent('setFilter').map((params) => (params as { filter: DataFilter }).filter);

  /** Performs an action and returns the filter that the host must apply as a result. */
  async function applies(act: () => Promise<unknown>): Promise<DataFilter> {
    const before = applied().length;
    await act();
    await waitUntil(() => applied().length > before);
    assert.equal(applied().length, before + 1);
    return applied()[before] ?? everyData;
  }

  async function openForm(): Promise<void> {
    await data.button('Filter').click();
    await data.page.locator('.filter-form').waitFor();
  }

  it('describes the criteria and the scope with names', async () => {
    host.filter = {
      ...opened,
      machine: 'machine-1',
      dataset: 'set-1',
      componentName: 'camera',
      method: 'GetImages',
      mimeTypes: ['image/png'],
      labels: ['rust'],
      tagsMode: 'untagged',
      interval: { kind: 'last', minutes: 1_440 },
    };
    await open();
    await data.page.getByText('Location: Line 3').waitFor();
    assert.deepEqual(await chipTexts(), [
      ...['Organization: Acme', 'Location: Line 3', 'Machine: rover-07'],
      ...['Component Name: camera', 'Method: GetImages', 'MIME Type: image/png'],
      ...['Captured: Last 24 hours', 'Tags: Untagged', 'Labels: rust', 'Dataset: Bolts'],
    ]);
    const title = await data.page.getByText('Location: Line 3').getAttribute('title');
    assert.equal(title, 'Plant › Hall › Line 3');
  });

  it('removes one criterion, and resets to the initial filter', async () => {
    host.filter = { ...opened, machine: 'machine-1', part: 'part-1', labels: ['rust', 'dent'] };
    await open();
    const without = await applies(() => data.button('Remove Labels: rust').click());
    assert.deepEqual(without.labels, ['dent']);
    const alone = await applies(() => data.button('Remove Machine: rover-07').click());
    assert.deepEqual([alone.machine, alone.part], ['', '']);
    assert.equal(await data.button(/Remove Organization/).count(), 0);
    assert.deepEqual(await applies(() => data.button('Clear All').click()), opened);
    assert.equal(await data.button('Clear All').count(), 0);
    assert.equal(
      await data.button('Filter').evaluate((one) => one === document.activeElement),
      true,
    );
  });

  it('applies a text when the user finishes it, not while typing', async () => {
    await open();
    await openForm();
    const name = field('Component Name');
    const filter = await applies(async () => {
      await name.pressSequentially('front camera');
      assert.equal(applied().length, 0);
      await press('Enter');
    });
    assert.equal(filter.componentName, 'front camera');
    await name.pressSequentially(' 2');
    await press('Escape');
    assert.equal(await name.inputValue(), 'front camera');
    const left = await applies(async () => {
      await name.fill('rear');
      await press('Tab');
    });
    assert.equal(left.componentName, 'rear');
  });

  it('applies changes in quick succession as one', async () => {
    host.filter = { ...opened, labels: ['rust', 'dent'] };
    await open();
    const filter = await applies(async () => {
      await data.page.evaluate(() => {
        for (const label of ['rust', 'dent']) {
          document
            .querySelector<HTMLElement>(`.filter-chips [aria-label="Remove Labels: ${label}"]`)
            ?.click();
        }
      });
    });
    assert.deepEqual(filter.labels, []);
  });

  it('suggests types that can be selected with the keyboard', async () => {
    await open();
    await openForm();
    const type = field('Component Type');
    await type.focus();
    await press('ArrowDown');
    await type.and(data.page.locator('[aria-expanded="true"]')).waitFor();
    await type.pressSequentially('movem');
    const option = options().filter({ hasText: 'rdk:component:movement_sensor' });
    await option.waitFor();
    await waitUntil(async () => (await options().count()) === 1);
    await press('ArrowDown');
    assert.equal(await type.getAttribute('aria-activedescendant'), await option.getAttribute('id'));
    const filter = await applies(() => press('Enter'));
    assert.equal(filter.componentType, 'rdk:component:movement_sensor');
    assert.equal(await type.getAttribute('aria-expanded'), 'false');
    const typed = await applies(async () => {
      await type.fill('acme:component:nose');
      await press('Enter');
    });
    assert.equal(typed.componentType, 'acme:component:nose');
  });

  it('suggests existing tags', async () => {
    host.answers = {
      complete: ({ field: of, text }) =>
        of === 'tags'
          ? Promise.resolve({
              values: ['defect', 'demo-data', hostile].filter((tag) => tag.includes(text)),
              more: text === '',
            })
          : Promise.reject(new Error('not reached')),
    };
    await open();
    await openForm();
    const mode = data.page.locator('.field-tags select');
    assert.equal((await applies(() => mode.selectOption('tagged'))).tagsMode, 'tagged');
    assert.equal((await applies(() => mode.selectOption('anyOf'))).tagsMode, 'anyOf');
    const box = data.page.locator('#filter-tags');
    await box.focus();
    await press('ArrowDown');
    await data.page.getByText('More results available').waitFor();
    assert.equal(await data.page.locator('.combo-popup img').count(), 0);
    await press('ArrowDown');
    assert.deepEqual((await applies(() => press('Enter'))).tags, ['defect']);
    assert.deepEqual(
      (
        await applies(async () => {
          await box.fill('of my own');
          await press('Enter');
        })
      ).tags,
      ['defect', 'of my own'],
    );
    assert.deepEqual((await applies(() => press('Backspace'))).tags, ['defect']);
    await data.page.locator('#filter-labels').focus();
    await press('ArrowDown');
    await data.page.getByText("Couldn't load the suggestions: not reached").waitFor();
  });

  it('preserves the times being entered when the panel receives names', async () => {
    await open();
    await openForm();
    await field('Captured').selectOption({ label: 'Between…' });
    const { generation } = host;
    data.webview.notify('filterNamed', {
      generation,
      names: { ...names, extra: { name: 'x', path: 'x' } },
    });
    await data.button('UTC').click();
    await field('From').fill('2026-11-21T12:00:00');
    // Wait longer than the debounce time of changes.
    await data.page.waitForTimeout(500);
    assert.deepEqual(applied(), []);
    assert.equal(await field('Captured').inputValue(), 'between');
  });

  it('FilterView keeps the focus on a chip when a resource is renamed', async () => {
    host.filter = { ...opened, labels: ['rust'] };
    await open();
    const remove = data.page.locator('.filter-chips [aria-label="Remove Labels: rust"]');
    await remove.focus();
    const renamed = { 'set-1': { name: 'Nuts', path: 'Acme › Nuts' } };
    data.webview.notify('filterNamed', { generation: host.generation, names: renamed });
    await data.webview.waitUntilIdle();
    assert.equal(await remove.evaluate((button) => button === document.activeElement), true);
  });

  it('prompts for a recent time, or for a time range', async () => {
    await open();
    await openForm();
    const select = field('Captured');
    const { interval } = await applies(() => select.selectOption({ label: 'Last 7 days' }));
    assert.deepEqual(interval, { kind: 'last', minutes: 10_080 });
    await select.selectOption({ label: 'Between…' });
    await data.button('UTC').click();
    const between = await applies(async () => {
      await field('From').fill('2026-11-21T12:00:00');
      await field('To (exclusive)').fill('2026-11-21T12:30:00');
      // Changing the time zone, or moving from one time input to the other, doesn't apply the
      // filter.
      assert.equal(applied().length, 1);
      await press('Enter');
    });
    assert.deepEqual(between.interval, { kind: 'between', start: noon, end: noon + 1_800_000 });
    await field('To (exclusive)').fill('2026-11-21T11:00:00');
    await press('Enter');
    await data.page.getByText('The end must be later than the start.').waitFor();
    assert.equal(await field('From').getAttribute('aria-invalid'), 'true');
    const unended = await applies(async () => {
      await field('To (exclusive)').fill('');
      await press('Enter');
    });
    assert.deepEqual(unended.interval, { kind: 'between', start: noon, end: undefined });
    assert.equal(await data.page.getByText('The end must be later').count(), 0);
    assert.ok((await chipTexts()).some((text) => /since Nov 21, 2026.*12:00:00 PM UTC/.test(text)));
  });

  it('sends the selection of resources, saved filters, and links to the host', async () => {
    await open();
    await openForm();
    for (const name of ['Add Location…', 'Select Machine…', 'Select Part…', 'Select Dataset…']) {
      await data.button(name).click();
    }
    await waitUntil(() => host.getSent('promptForFilterTarget').length === 4);
    assert.deepEqual(
      host.getSent('promptForFilterTarget'),
      ['location', 'machine', 'part', 'dataset'].map((kind) => ({ kind })),
    );
    for (const entry of [
      'Save Filter…',
      'Open Saved Filter…',
      'Copy Link to This View',
      'Query These Readings',
    ]) {
      await data.button('More').first().click();
      await data.page.getByRole('menuitem', { name: entry }).click();
    }
    const messages = ['saveFilter', 'openSavedFilter', 'copyLink', 'queryReadings'] as const;
    await waitUntil(() => messages.every((name) => host.getSent(name).length === 1));
    host.apply({ ...opened, locations: ['loc-1', 'loc-2'], machine: 'machine-1' });
    await data.page.locator('.filter-chips').getByText('Location: Line 4').waitFor();
    const removed = await applies(() =>
      data.page.locator('.field-location').getByRole('button', { name: 'Remove Line 3' }).click(),
    );
    assert.deepEqual(removed.locations, ['loc-2']);
  });

  it('saves, links, and queries the filter as shown', async () => {
    const messages: unknown[] = [];
    await open();
    for (const [entry, name] of [
      ['Save Filter…', 'saveFilter'],
      ['Copy Link to This View', 'copyLink'],
      ['Query These Readings', 'queryReadings'],
    ] as const) {
      host.apply(opened);
      await waitUntil(async () => (await chips().count()) === 2);
      // The chips might still be those of the previous filter.
      await data.webview.waitUntilIdle();
      const before = host.sent.length;
      await data.button('More').first().click();
      // Do both in one turn of the page's event loop, before the change is applied automatically.
      await data.page.evaluate((label) => {
        const remove = document.querySelector<HTMLElement>('.filter-chips button');
        const items = [...document.querySelectorAll<HTMLElement>('.menu-item')];
        remove?.click();
        items.find(({ textContent }) => textContent === label)?.click();
      }, entry);
      await waitUntil(() => host.getSent(name).length === 1);
      const names = host.sent.slice(before).map(([one]) => one);
      messages.push(names.filter((one) => one === name || one === 'setFilter'));
    }
    assert.deepEqual(messages, [
      ['setFilter', 'saveFilter'],
      ['setFilter', 'copyLink'],
      ['setFilter', 'queryReadings'],
    ]);
  });

  it('shows hostile names, tags, and labels as text on one line', async () => {
    host.filter = { ...opened, tagsMode: 'anyOf', tags: [hostile], labels: [hostile] };
    host.start = { opened };
    await open();
    await openForm();
    assert.equal(await data.page.locator('.filter img').count(), 0);
    for (const chip of await chips().all()) {
      const box = await chip.boundingBox();
      assert.ok(box && box.height < 30 && box.width <= 262);
    }
    const title = await data.page.locator('.filter-chips .chip-text').last().getAttribute('title');
    assert.equal(title?.length, 500);
  });

  it('is opened, used, and closed with the keyboard', async () => {
    await open();
    await press('Tab');
    await press('Enter');
    const opener = data.button('Filter');
    assert.equal(await opener.getAttribute('aria-expanded'), 'true');
    assert.equal(await data.button('Add Location…').count(), 1);
    const focused = data.page.locator('.filter-form :focus');
    await focused.waitFor();
    await press('Escape');
    assert.equal(await opener.getAttribute('aria-expanded'), 'false');
    assert.equal(await opener.evaluate((one) => one === document.activeElement), true);
  });

  it('preserves filter, tab, and layout after a reload', async () => {
    await open();
    await openForm();
    await data.tab('files').click();
    await applies(async () => {
      await field('Method').fill('GetImages');
      await press('Enter');
    });
    await data.page.locator('.filter-chips').getByText('Method: GetImages').waitFor();
    const state = await data.webview.state();
    const { filter, tab, panel } = state as { filter: DataFilter; tab: string; panel: string };
    assert.deepEqual([filter.method, tab, panel], ['GetImages', 'files', 'panel 1']);
    const { pageErrors: complaints } = data.webview;
    assert.deepEqual(complaints, []);
    await data.close();
    await open({ state });
    assert.equal(await data.button('Filter').getAttribute('aria-expanded'), 'true');
  });

  for (const state of [
    undefined,
    7,
    { panel: 'panel 1', filter: {} },
    { panel: 'panel 1', filter: opened, tab: 'files', views: { filter: { open: 'yes' } } },
  ]) {
    it(
      `resets an invalid saved state: ${inspect(state, { breakLength: Infinity })}`.slice(0, 90),
      async () => {
        await open({ state });
        assert.equal(await data.button('Filter').getAttribute('aria-expanded'), 'false');
      },
    );
  }

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      host.filter = {
        ...opened,
        tagsMode: 'anyOf',
        tags: ['defect'],
        labels: ['rust'],
        mimeTypes: ['image/png'],
        interval: { kind: 'between', start: noon },
      };
      host.answers = { complete: () => Promise.resolve({ values: ['one', 'two'], more: true }) };
      await open({ theme });
      await openForm();
      await data.page.locator('#filter-tags').focus();
      await press('ArrowDown');
      await options().first().waitFor();
      await press('ArrowDown');
      assert.deepEqual(await findAxeViolations(data.page), []);
    });
  }

  it('fits into a narrow panel', async () => {
    host.filter = { ...opened, tagsMode: 'anyOf', tags: [hostile], machine: 'machine-1' };
    await open();
    await data.page.setViewportSize({ width: 300, height: 600 });
    await openForm();
    const widths = await data.page.evaluate(() =>
      ['header', '.filter-form', 'body'].map((name) => {
        const { scrollWidth, clientWidth } = document.querySelector(name) ?? document.body;
        return scrollWidth - clientWidth;
      }),
    );
    assert.deepEqual(widths, [0, 0, 0]);
  });
});
