import './support/englishVscode';
import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import {
  historyProtocol,
  type HistoryProtocol,
  type HistoryRow,
  type HistorySnapshot,
} from '../../src/shared/history';
import type { HostHandlers } from '../../src/shared/protocol';
import { waitUntil } from '../support/waitUntil';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp, WebviewPage } from './support/webviewPage';

const DOCUMENT = 'fleetwright://lab/fragments/f1/config/history.json';
const PAGE = 3;
const STATES = 8;

const row = (number: number): HistoryRow => ({
  key: number === STATES ? 'current' : `${number}.000000000`,
  ...(number > 1 && { madeOn: Date.UTC(2026, 2, number, 10, 30) }),
  editor: number > 1 ? 'ada@acme.test' : '',
  summary: `rpm: ${number - 1} → ${number}`,
  details: number % 2 === 0 ? ['one', 'two'] : ['one'],
  current: number === STATES,
  available: number !== 3,
  ...(number > 1 && { previousKey: `${number - 1}.000000000` }),
});

describe('the history panel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let opened: WebviewPage<HistoryProtocol>;
  let sent: unknown[];
  let shown: number;
  let failure: FleetError | undefined;
  let rows: readonly HistoryRow[];
  let readOnly: string | undefined;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('history')]);
  });

  beforeEach(() => {
    sent = [];
    shown = 0;
    failure = undefined;
    readOnly = undefined;
    rows = Array.from({ length: STATES }, (_, index) => row(STATES - index));
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  const snapshot = (): Promise<HistorySnapshot> => {
    if (failure) return Promise.reject(failure);
    return Promise.resolve({
      title: '<img src=x onerror=alert(1)>',
      path: 'Acme › rover-07',
      rows: rows.slice(0, shown),
      hasMore: shown < rows.length,
      ...(readOnly !== undefined && { readOnly }),
    });
  };
  const handlers: HostHandlers<HistoryProtocol> = {
    ready: () => Promise.resolve({ locale: 'en', document: DOCUMENT }),
    load: () => {
      if (!failure) shown = Math.max(shown, PAGE);
      return snapshot();
    },
    loadMore: () => {
      if (!failure) shown += PAGE;
      return snapshot();
    },
    compare: (params) => sent.push(['compare', params]),
    compareWithCurrent: (params) => sent.push(['compareWithCurrent', params]),
    restore: (params) => sent.push(['restore', params]),
    signIn: () => sent.push(['signIn']),
    startLocalFleet: () => sent.push(['startLocalFleet']),
  };

  async function open(options: { theme?: ThemeKind; state?: unknown } = {}): Promise<void> {
    const protocol = historyProtocol;
    opened = await WebviewPage.open(browser, {
      app: 'history',
      files,
      protocol,
      handlers,
      ...options,
    });
  }

  const button = (name: string): Locator => opened.page.getByRole('button', { name, exact: true });
  const tableRows = (): Locator => opened.page.locator('tbody tr');
  const box = (index: number): Locator => tableRows().nth(index).getByRole('checkbox');
  /**
   * Waits until a checkbox shows its state, because the toolkit draws a changed checkbox only in
   * the next frame.
   */
  const checked = (index: number, isChecked: boolean): Promise<void> =>
    box(index)
      .and(opened.page.locator(`[aria-checked=${isChecked}]`))
      .waitFor();
  const focused = (): Promise<string> =>
    opened.page.evaluate(() => document.activeElement?.getAttribute('data-focus') ?? '');

  /** Presses Tab until the control with a given key has the focus. */
  async function tabTo(key: string): Promise<void> {
    for (let steps = 0; steps < 60; steps += 1) {
      if ((await focused()) === key) return;
      await opened.page.keyboard.press('Tab');
    }
    assert.fail(`Tab never reached ${key}`);
  }

  it('marks the first version, which has no time and no editor', async () => {
    rows = [row(2), { ...row(1), madeOn: undefined, editor: '' }];
    await open();
    await opened.page.getByRole('checkbox', { name: 'Select the first version' }).waitFor();
    assert.equal(
      await opened.page.getByRole('checkbox', { name: /^Select the version / }).count(),
      1,
    );
  });

  it('lists revisions with time, editor, and change, as text', async () => {
    await open();
    await tableRows().first().waitFor();
    assert.equal(await tableRows().count(), PAGE);
    const first = tableRows().first();
    assert.match(await first.innerText(), /current[^]*ada@acme\.test[^]*rpm: 7 → 8/);
    assert.equal(
      await tableRows().nth(1).locator('time').getAttribute('title'),
      '2026-03-07 10:30:00 UTC',
    );
    assert.equal(await opened.page.locator('img').count(), 0);
    assert.match(await opened.page.locator('h1').innerText(), /<img src=x/);
  });

  it('compares two selected revisions, older first, with the keyboard', async () => {
    await open();
    await tableRows().first().waitFor();
    await tabTo('select current');
    await opened.page.keyboard.press('Space');
    await tabTo('select 6.000000000');
    await opened.page.keyboard.press('Space');
    await opened.page.locator('tr.selected').nth(1).waitFor();
    // The toolkit enables a button in the next frame.
    await opened.waitUntilIdle();
    await button('Compare Selected').press('Enter');
    await waitUntil(() => sent.length > 0);
    assert.deepEqual(sent, [['compare', { older: '6.000000000', newer: 'current' }]]);
  });

  it('replaces the first selection with a third', async () => {
    await open();
    await tableRows().first().waitFor();
    for (const index of [0, 1, 2]) await box(index).click();
    const selected = opened.page.locator('tr.selected');
    await checked(0, false);
    assert.equal(await selected.count(), 2);
    assert.deepEqual(await opened.state(), {
      document: DOCUMENT,
      selected: ['7.000000000', '6.000000000'],
    });
  });

  it('restores nothing over a read-only connection, and reports why', async () => {
    readOnly = 'The connection "Acme" is read-only.';
    await open();
    await opened.page.getByText(readOnly).waitFor();
    await tableRows().nth(1).getByRole('button', { name: 'Compare' }).waitFor();
    assert.equal(await opened.page.getByRole('button', { name: 'Restore' }).count(), 0);
  });

  it('runs actions on one revision', async () => {
    await open();
    await tableRows().first().waitFor();
    const second = tableRows().nth(1);
    for (const name of ['Changes', 'Compare', 'Restore']) {
      await second.getByRole('button', { name, exact: true }).click();
    }
    assert.equal(await tableRows().first().getByRole('button', { name: 'Restore' }).count(), 0);
    await waitUntil(() => sent.length >= 3);
    assert.deepEqual(sent, [
      ['compare', { older: '6.000000000', newer: '7.000000000' }],
      ['compareWithCurrent', { key: '7.000000000' }],
      ['restore', { key: '7.000000000' }],
    ]);
  });

  it('loads more and moves the focus to the new rows', async () => {
    await open();
    await button('Load More').focus();
    await opened.page.keyboard.press('Enter');
    await tableRows().nth(PAGE).waitFor();
    assert.equal(await focused(), 'select 5.000000000');
    await button('Load More').click();
    await tableRows()
      .nth(STATES - 1)
      .waitFor();
    assert.equal(await button('Load More').count(), 0);
    assert.match(await tableRows().last().innerText(), /Beginning/);
    assert.equal(await tableRows().nth(5).getByRole('checkbox').count(), 0);
  });

  it('offers to refresh when there are no versions', async () => {
    rows = [];
    await open();
    await opened.page.getByText('Nothing has been changed yet.').waitFor();
    assert.equal(await button('Compare Selected').count(), 0);
    rows = [row(1)];
    await button('Refresh').click();
    await tableRows().first().waitFor();
  });

  it('reports an error and retries', async () => {
    failure = new FleetError('unavailable', 'Cannot reach fleet.example.com.');
    await open();
    // Filter by text, because the progress ring is also an alert.
    const alert = opened.page
      .getByRole('alert')
      .filter({ hasText: /Couldn't load the history[^]*Cannot reach fleet\.example\.com\./ });
    await alert.waitFor();
    const heading = opened.page.getByRole('heading', { level: 1 });
    assert.equal(await heading.innerText(), 'History');
    failure = undefined;
    await button('Retry').click();
    await tableRows().first().waitFor();
    assert.match(await heading.innerText(), /^History </);
    assert.equal(await alert.count(), 0);
  });

  it('offers to start the local fleet if necessary, and shows the history then', async () => {
    failure = new FleetError('unavailable', 'It is not running.', { action: 'startLocalFleet' });
    await open();
    await button('Start Local Fleet').click();
    await waitUntil(() => sent.length > 0);
    assert.deepEqual(sent, [['startLocalFleet']]);
    failure = undefined;
    opened.notify('changed', undefined);
    await tableRows().first().waitFor();
  });

  it('preserves the list if only the next page fails', async () => {
    await open();
    await tableRows().first().waitFor();
    failure = new FleetError('unavailable', 'Cannot reach fleet.example.com.');
    await button('Load More').click();
    await button('Retry').waitFor();
    assert.equal(await tableRows().count(), PAGE);
    failure = undefined;
    await button('Retry').click();
    await tableRows().nth(PAGE).waitFor();
  });

  it('reports an empty history', async () => {
    rows = [];
    await open();
    await opened.page.getByText('Nothing has been changed yet.').waitFor();
  });

  it('restores the selection, and reloads when the document changes', async () => {
    await open({ state: { document: DOCUMENT, selected: ['7.000000000', 'gone'] } });
    await tableRows().first().waitFor();
    await checked(1, true);
    assert.equal(await opened.page.locator('tr.selected').count(), 1);
    rows = rows.slice(1);
    opened.notify('changed', undefined);
    await opened.page.getByText('rpm: 7 → 8').waitFor({ state: 'detached' });
  });

  it('preserves a selected revision of a page that is not loaded yet', async () => {
    const selected = ['7.000000000', '4.000000000'];
    await open({ state: { document: DOCUMENT, selected } });
    await tableRows().first().waitFor();
    await checked(1, true);
    assert.equal(await button('Compare Selected').isDisabled(), true);
    await button('Load More').click();
    await checked(4, true);
    await opened.waitUntilIdle();
    await button('Compare Selected').click();
    await waitUntil(() => sent.length > 0);
    assert.deepEqual(sent, [['compare', { older: '4.000000000', newer: '7.000000000' }]]);
  });

  it('preserves the scroll position and the expanded changes during a reload', async () => {
    const count = 60;
    rows = Array.from({ length: count }, (_, index) => ({
      ...row(STATES),
      key: `${count - index}.000000000`,
      current: false,
      details: ['one', 'two'],
    }));
    shown = count;
    await open();
    await tableRows()
      .nth(count - 1)
      .waitFor();
    await box(0).click();
    await opened.page.locator('summary').nth(40).click();
    const scrollTop = (): Promise<number> =>
      opened.page.evaluate(() => document.scrollingElement?.scrollTop ?? 0);
    const before = await scrollTop();
    assert.ok(before > 0);
    await opened.page.evaluate(() =>
      document.querySelector<HTMLElement>('[data-focus^=select]')?.focus({ preventScroll: true }),
    );
    rows = rows.map((one) => ({ ...one, editor: 'bob@acme.test' }));
    opened.notify('changed', undefined);
    await opened.page.getByText('bob@acme.test').first().waitFor();
    assert.equal(await opened.page.locator('details[open]').count(), 1);
    assert.equal(await scrollTop(), before);
  });

  for (const theme of themeKinds) {
    it(`uses the colors of the theme: ${theme}`, async () => {
      await open({ theme });
      await tableRows().first().waitFor();
      await box(0).click();
      const text = await opened.page
        .locator('.change')
        .first()
        .evaluate((cell) => ({
          color: getComputedStyle(cell).color,
          expected: getComputedStyle(document.documentElement).getPropertyValue(
            '--vscode-foreground',
          ),
        }));
      assert.equal(toHex(text.color), text.expected);
    });
  }
});

function toHex(color: string): string {
  const channels = color.match(/\d+/g) ?? [];
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`;
}
