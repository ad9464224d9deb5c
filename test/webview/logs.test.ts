import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { everyLine, type LogFilter, type LogPart } from '../../src/shared/logs';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { type FakeLogHost, gapRow, liveParts, noon, numberedRow } from './support/fakeLogHost';
import type { LogPage } from './support/logPage';
import { logSuite } from './support/logSuite';
import { themeKinds, type ThemeKind } from './support/themes';

const LINES = 500;

describe('the log panel in a browser', function () {
  this.timeout(120_000);
  const panel = logSuite();
  let host: FakeLogHost;
  let opened: LogPage;

  beforeEach(() => {
    ({ host } = panel);
    host.end = LINES;
  });

  function sendParts(parts: readonly LogPart[] = liveParts): void {
    opened.webview.notify('partsChanged', { parts, panel: 'panel 1' });
  }

  async function open(options: { theme?: ThemeKind; state?: unknown } = {}): Promise<void> {
    opened = await panel.open(options);
  }

  const listSent = (name: string): readonly unknown[] =>
    host.sent.filter(([one]) => one === name).map(([, params]) => params);

  async function sent(name: string, count = 1): Promise<readonly unknown[]> {
    await waitUntil(() => listSent(name).length >= count);
    return listSent(name);
  }

  const press = (keys: string): Promise<void> => opened.page.keyboard.press(keys);
  const last = LINES - 1;

  it('shows time, part, level, logger, and message of a line, as text', async () => {
    await open({ state: { panel: 'panel 1', filter: everyLine, utc: true } });
    const row = opened.getRow(498);
    assert.match(
      await row.innerText(),
      /12:08:18\.000\s+rover-07\s+Error\s+rdk\.motor\s+line 498 <b>of many<\/b>/,
    );
    assert.equal(await opened.page.locator('.row b').count(), 0);
    assert.match(await opened.getRow(499).innerText(), /NOTICE/);
    assert.equal(
      await opened.page.locator('.status-line').innerText(),
      '500 lines shown · 500 of 1,000,000 in memory',
    );
    assert.match(
      await opened.page.locator('.current-day').innerText(),
      /Saturday, November 21, 2026/,
    );
  });

  it('omits part names if there is only one', async () => {
    await open();
    sendParts(liveParts.slice(0, 1));
    await opened.page.locator('.row .part').first().waitFor({ state: 'detached' });
  });

  it('shows the colors of escape sequences from the terminal palette, including within a match', async () => {
    const styles = [{ start: 0, end: 6, color: 1, bold: true }];
    host.rows.set(498, { ...numberedRow(498), found: [[5, 8]], styles } as never);
    await open();
    await opened.page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-terminal-ansiRed', 'rgb(205, 49, 49)'),
    );
    const text = opened.getRow(498).locator('.text');
    assert.equal(await text.innerText(), 'line 498 <b>of many</b>');
    assert.deepEqual(await text.locator('.ansi-color-1').allInnerTexts(), ['line ', '4']);
    assert.equal(await text.locator('mark .ansi-color-1').innerText(), '4');
    const color = await text
      .locator('.ansi-color-1')
      .first()
      .evaluate((node) => getComputedStyle(node).getPropertyValue('--ansi-color'));
    assert.equal(color, 'rgb(205, 49, 49)');
  });

  it('marks matches, and the start of a day', async () => {
    host.rows.set(495, { ...numberedRow(495), found: [[5, 8]] } as never);
    for (let number = 497; number < LINES; number += 1) {
      host.rows.set(number, { ...numberedRow(number), at: noon + 86_400_000 });
    }
    await open();
    assert.equal(await opened.getRow(495).locator('mark').innerText(), '495');
    const day = opened.getRow(497).locator('.day');
    assert.equal(await day.innerText(), 'Nov 22, 2026');
    assert.equal(await day.getAttribute('title'), 'Sunday, November 22, 2026');
    assert.equal(await opened.page.locator('.row .day').count(), 1);
  });

  for (const width of [400, 780]) {
    it(`shows the day of the topmost line above the lines in a panel of ${width} pixels`, async () => {
      await open();
      await opened.page.setViewportSize({ width, height: 500 });
      await opened.waitUntilIdle();
      const day = await opened.page.locator('.current-day').boundingBox();
      const list = await opened.list.boundingBox();
      assert.ok(day && list && day.height > 0);
      assert.ok(day.y + day.height <= list.y + 0.5, `${day.y + day.height} and ${list.y}`);
    });
  }

  it('opens a line with the keyboard, leaves it open, and copies one of its values', async () => {
    await open();
    await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.list.focus();
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await press(key);
    const details = opened.page.locator('.details');
    await details.getByText('"rpm": 42').waitFor();
    assert.match(await details.innerText(), /<img src=x/);
    assert.equal(await opened.getRow(498).getAttribute('aria-expanded'), 'true');
    const below = await opened.getRow(499).boundingBox();
    const box = await details.boundingBox();
    assert.ok(below && box && below.y >= box.y + box.height - 1);
    await opened.button('Copy payload').click();
    await opened.page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    const copied = await opened.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, '{\n  "rpm": 42\n}');
    await opened.list.press('Home');
    await opened.waitUntilIdle();
    await opened.list.press('End');
    await opened.waitUntilIdle();
    assert.equal(await details.count(), 1);
    await opened.list.press('ArrowUp');
    await opened.list.press('ArrowLeft');
    await details.waitFor({ state: 'detached' });
  });

  it('selects with keyboard and mouse, and copies the selection', async () => {
    await open();
    await opened.list.focus();
    await press('End');
    await press('Shift+ArrowUp');
    await press('Shift+ArrowUp');
    const selected = opened.page.locator('[aria-selected=true]');
    await selected.nth(2).waitFor();
    assert.equal(await selected.count(), 3);
    assert.match(await opened.page.locator('.status-line').innerText(), /3 lines selected/);
    assert.equal(await opened.list.getAttribute('aria-activedescendant'), `row-${last - 2}`);
    await press('Control+c');
    assert.deepEqual(await sent('copy'), [{ from: last - 2, to: last }]);
    await opened.getRow(last - 5).click();
    await opened.getRow(last - 1).click({ modifiers: ['Shift'] });
    await press('Control+c');
    assert.deepEqual((await sent('copy', 2))[1], { from: last - 5, to: last - 1 });
    await press('Home');
    await press('Shift+End');
    await press('Control+c');
    assert.deepEqual((await sent('copy', 3))[2], { from: 0, to: last });
    await press('Control+a');
    await press('Control+c');
    assert.deepEqual((await sent('copy', 4))[3], undefined);
    await press('Escape');
    await selected.first().waitFor({ state: 'detached' });
  });

  it('stops following while a line is open, and counts new lines', async () => {
    await open();
    await opened.getRow(last - 3).click();
    await waitUntil(() => host.followed === 0);
    host.end += 7;
    host.notifyChange();
    await opened.waitUntilIdle();
    assert.ok((await opened.seen()).every(({ number }) => number <= last));
    const pill = opened.button(/7 new lines/);
    await pill.click();
    await opened.getRow(last + 7).waitFor();
    await waitUntil(() => host.followed > 0);
    assert.equal(await pill.count(), 0);
  });

  it('filters by text, expression, case, level, and part', async () => {
    await open();
    const filters = (count: number): Promise<readonly unknown[]> => sent('setFilter', count);
    await opened.list.press('/');
    await opened.page.keyboard.type('rpm');
    assert.deepEqual(await filters(1), [{ ...everyLine, text: 'rpm' }]);
    await opened.button('Match Case').click();
    await opened.button('Use Regular Expression').click();
    const typed: LogFilter = { ...everyLine, text: 'rpm', isPattern: true, matchCase: true };
    assert.deepEqual((await filters(3))[2], typed);
    await opened.button('Debug').click();
    const levels = ['info', 'warn', 'error', 'other'];
    assert.deepEqual((await filters(4))[3], { ...typed, levels });
    await opened
      .button(/rover-07/)
      .first()
      .click();
    const chosen = { ...typed, levels, parts: ['b'] };
    assert.deepEqual((await filters(5))[4], chosen);
    assert.deepEqual(await opened.webview.state(), {
      panel: 'panel 1',
      filter: chosen,
      utc: false,
      order: 'time',
    });
    // A part that is added later is shown by default.
    sendParts([...liveParts, { key: 'c', label: 'rover-09', state: 'live', detail: 'Live.' }]);
    assert.deepEqual((await filters(6))[5], { ...chosen, parts: ['b', 'c'] });
  });

  it('exports, opens, and copies the lines that match the last typed filter', async () => {
    await open();
    for (const [item, name] of [
      ['Export…', 'exportLines'],
      ['Open as Document', 'openDocument'],
      ['Copy All Lines', 'copy'],
      ['Query Readings for This Time', 'queryReadings'],
    ] as const) {
      const filtering = Promise.withResolvers<undefined>();
      host.filtering = filtering.promise;
      await opened.button('More').click();
      // Do this in one turn of the page's event loop, before the debounce time ends.
      await opened.page.evaluate(
        ([text, label]) => {
          const input = document.querySelector<HTMLInputElement>('.filter-input');
          const items = [...document.querySelectorAll<HTMLElement>('.menu-item')];
          if (!input) throw new Error('no filter box');
          input.value = text;
          input.dispatchEvent(new InputEvent('input', { bubbles: true }));
          items.find(({ textContent }) => textContent === label)?.click();
        },
        [`before ${name}`, item] as const,
      );
      await waitUntil(() => listSent('setFilter').length > 0);
      assert.deepEqual(listSent('setFilter'), [{ ...everyLine, text: `before ${name}` }]);
      await opened.waitUntilIdle();
      assert.deepEqual(listSent(name), [], `${name} before the host has applied the filter`);
      filtering.resolve(undefined);
      await sent(name);
      host.sent.length = 0;
    }
  });

  it('marks an invalid expression in place', async () => {
    await open();
    host.problem = 'This is no regular expression. Unterminated group';
    const input = opened.page.getByRole('textbox', { name: 'Filter lines' });
    await input.fill('(');
    const problem = opened.page.getByRole('alert').filter({ hasText: 'Unterminated group' });
    await problem.waitFor();
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    assert.equal(await input.getAttribute('aria-describedby'), await problem.getAttribute('id'));
    const message = await opened.page.locator('.problem').boundingBox();
    const chips = await opened.page.locator('.parts').boundingBox();
    assert.ok(message && chips && message.y + message.height <= chips.y);
    host.problem = undefined;
    await input.press('Escape');
    await problem.waitFor({ state: 'hidden' });
    assert.equal(await input.getAttribute('aria-invalid'), 'false');
  });

  it('restores its saved state', async () => {
    const filter = { ...everyLine, text: 'kept', levels: ['error'] as const };
    await open({ state: { panel: 'panel 1', filter, utc: true } });
    assert.deepEqual(listSent('ready'), [filter]);
    assert.equal(await opened.page.getByRole('textbox').first().inputValue(), 'kept');
    assert.equal(await opened.button('Debug').getAttribute('aria-pressed'), 'false');
    assert.equal(await opened.button('Error').getAttribute('aria-pressed'), 'true');
  });

  it('orders by the time of receipt on request, and remembers it', async () => {
    await open();
    const toggle = () =>
      opened.page.getByRole('menuitemcheckbox', { name: 'Order by Time Received' });
    await opened.button('More').click();
    assert.equal(await toggle().getAttribute('aria-checked'), 'false');
    await toggle().click();
    assert.deepEqual(await sent('setOrder'), ['receipt']);
    const state = await opened.webview.stateWith('receipt');
    await opened.webview.close();
    await open({ state });
    assert.deepEqual(listSent('ready order'), ['receipt']);
    await opened.button('More').click();
    assert.equal(await toggle().getAttribute('aria-checked'), 'true');
    await toggle().click();
    assert.deepEqual(await sent('setOrder', 2), ['receipt', 'time']);
  });

  it('shows the connection of parts, and offers actions', async () => {
    await open();
    const retryAt = Date.now() + 8_000;
    sendParts([
      { key: 'a', label: 'rover-07', state: 'retrying', detail: 'Cannot reach it.', retryAt },
      { key: 'b', label: 'rover-08', state: 'stopped', detail: 'The key was deleted.' },
    ]);
    await opened.page.getByText(/rover-07: retrying in [78] s/).waitFor();
    assert.match(await opened.page.locator('.notices').innerText(), /The key was deleted\./);
    assert.match(
      await opened.page.getByRole('status').first().innerText(),
      /rover-07: Cannot reach it\./,
    );
    await opened.button('Try Now').click();
    await opened.button('Reconnect').click();
    assert.deepEqual(await sent('reconnect', 2), [{ part: 'a' }, { part: 'b' }]);
    await opened.button('Remove rover-08').click();
    assert.deepEqual(await sent('removePart'), [{ part: 'b' }]);
    await opened.button('Add Part…').click();
    await sent('addParts');
  });

  it('reports once that the service does not respond, for any number of parts', async () => {
    await open();
    const detail = "The service isn't responding. New lines appear when it responds again.";
    const silent = { state: 'silent', detail } as const;
    sendParts([
      { key: 'a', label: 'rover-07', ...silent },
      { key: 'b', label: 'rover-08 › arm', ...silent },
      { key: 'c', label: 'rover-09', state: 'stopped', detail: 'The key was deleted.' },
    ]);
    const notices = opened.page.locator('.notices .notice');
    await notices.getByText('rover-09: stopped').waitFor();
    assert.deepEqual(await notices.locator('span').allInnerTexts(), [
      detail,
      'The key was deleted.',
    ]);
  });

  it('reports that the service does not respond, without actions', async () => {
    await open();
    const detail = "The service isn't responding. New lines appear when it responds again.";
    sendParts([{ key: 'a', label: 'rover-07', state: 'silent', detail }]);
    await opened.page.locator('.notices').getByText('rover-07: not responding').waitFor();
    assert.equal(await opened.page.locator('.notices').getByRole('button').count(), 0);
    const announced = opened.page.getByRole('status').first();
    assert.match(await announced.innerText(), /isn't responding/);
    sendParts();
    await opened.page
      .locator('.notices')
      .getByText('not responding')
      .waitFor({ state: 'detached' });
    assert.match(await announced.innerText(), /rover-07: Live\./);
  });

  it('offers to start the local fleet, or to sign in, if necessary', async () => {
    await open();
    sendParts([
      { key: 'a', label: 'rover-07', state: 'retrying', detail: '', recovery: 'startLocalFleet' },
      { key: 'b', label: 'rover-08', state: 'stopped', detail: '', recovery: 'signIn' },
    ]);
    await opened.button('Start Local Fleet').click();
    await sent('startLocalFleet');
    await opened.button('Sign In').click();
    await sent('signIn');
  });

  it('pauses and shows how many lines wait', async () => {
    await open();
    await opened.list.press('p');
    await waitUntil(() => host.paused);
    host.waiting = 12;
    host.notifyChange();
    await opened.button('Resume (12 new lines)').click();
    await waitUntil(() => !host.paused);
    await opened.button('Pause').waitFor();
  });

  it('jumps to a time in the visible time zone', async () => {
    await open({ state: { panel: 'panel 1', filter: everyLine, utc: true } });
    await opened.button('Jump to Time…').click();
    await opened.page.getByLabel('Time (UTC)').fill('2026-11-21T12:00:40');
    host.jumpTo = 40;
    await press('Enter');
    await opened.getRow(40).and(opened.page.locator('[aria-selected=true]')).waitFor();
    assert.deepEqual(listSent('jump'), [{ at: noon + 40_000 }]);
    host.jumpTo = undefined;
    await opened.page.getByLabel('Time (UTC)').press('Enter');
    await opened.page.getByText('No lines were logged at or after that time').waitFor();
  });

  it('reports that a time to jump to is missing, and does not jump', async () => {
    await open({ state: { panel: 'panel 1', filter: everyLine, utc: true } });
    await opened.button('Jump to Time…').click();
    const box = opened.page.getByLabel('Time (UTC)');
    await box.fill('');
    const invalidated = box.evaluate(
      (input) =>
        new Promise<void>((resolve) => {
          input.addEventListener('invalid', () => resolve(), { once: true });
        }),
    );
    await opened.button('Go').click();
    await invalidated;
    await opened.webview.waitUntilIdle();
    assert.deepEqual(listSent('jump'), []);
  });

  it('loads missing lines: older ones at the start, and those of a gap', async () => {
    host.hasOlder = true;
    host.rows.set(3, gapRow('Lost for 12 s.'));
    await open();
    await opened.list.press('Home');
    await sent('loadOlder');
    await opened.button('Load Missing Lines').click();
    assert.deepEqual(await sent('loadGap'), [{ key: -3 }]);
    host.failure = new Error('The service failed.');
    await opened.button('Load Older Lines').click();
    await opened.page.getByText(/The action failed\./).waitFor();
    await opened.button('Dismiss').click();
    assert.equal(await opened.page.getByText(/The action failed\./).count(), 0);
  });

  it('offers to start the local fleet after an error if necessary', async () => {
    host.rows.set(3, gapRow('Lost for 12 s.'));
    await open();
    await opened.list.press('Home');
    const stopped = 'The local fleet is not running.';
    host.failure = new FleetError('unavailable', stopped, { action: 'startLocalFleet' });
    await opened.button('Load Missing Lines').click();
    await opened.page.getByText(stopped).waitFor();
    await opened.button('Start Local Fleet').click();
    await sent('startLocalFleet');
    assert.equal(await opened.page.getByText(stopped).count(), 0);
  });

  it('reports dropped or missed lines, and links to the setting', async () => {
    host.dropped = 1_234;
    host.missed = 1;
    await open();
    assert.match(
      await opened.page.locator('.status-line').innerText(),
      /1,234 older lines dropped\s+Change Limit\s+1 line missed/,
    );
    await opened.button('Change Limit').click();
    await sent('changeLimit');
  });

  it('has a menu of further actions that works with the keyboard', async () => {
    await open();
    await opened.button('More').press('Enter');
    await press('End');
    assert.equal(
      await opened.page.locator('.menu-item:focus').innerText(),
      'Order by Time Received',
    );
    await press('ArrowUp');
    assert.equal(await opened.page.locator('.menu-item:focus').innerText(), 'Show Times in UTC');
    await press('Enter');
    assert.equal(await opened.page.locator('.menu').isVisible(), false);
    assert.match(await opened.getRow(498).innerText(), /12:08:18/);
    for (const [item, name] of [
      ['Export…', 'exportLines'],
      ['Open as Document', 'openDocument'],
      ['Copy All Lines', 'copy'],
      ['Query Readings for This Time', 'queryReadings'],
      ['Query Readings for This Time', 'queryReadings'],
    ] as const) {
      await opened.button('More').click();
      await opened.menuItem(item).click();
      await sent(name);
    }
    await opened.button('Clear').click();
    await sent('clear');
  });

  it('reports why there are no lines', async () => {
    host.end = 0;
    await open();
    const state = opened.page.locator('.empty-state');
    assert.match(await state.innerText(), /No logs yet/);
    const counts = { buffered: 9, limit: 10, dropped: 0, missed: 0, waiting: 0 };
    host.notifyChange({ counts });
    await opened.waitUntilIdle();
    assert.match(await state.innerText(), /No logs yet/);
    await opened.page.getByRole('textbox', { name: 'Filter lines' }).fill('rpm');
    await state.getByText('No loaded lines match the filter.').waitFor();
    await state.getByRole('button', { name: 'Clear Filter' }).click();
    assert.deepEqual((await sent('setFilter', 2))[1], everyLine);
    await state.getByText('No logs yet').waitFor();
    host.notifyChange();
    sendParts([]);
    await state.getByText('No parts selected.').waitFor();
    sendParts(liveParts.map((part) => ({ ...part, state: 'connecting' })));
    await state.getByText('Connecting…').waitFor();
    sendParts(liveParts.map((part) => ({ ...part, state: 'stopped' })));
    await state.getByText('No part is connected.').waitFor();
    await state.getByRole('button', { name: 'Reconnect' }).click();
    assert.deepEqual(await sent('reconnect', 2), [{ part: 'a' }, { part: 'b' }]);
  });

  it('stays at the same time with another filter', async () => {
    await open();
    await opened.list.press('Home');
    await opened.waitUntilIdle();
    host.jumpTo = 60;
    host.notifyChange({ reset: true });
    await opened.waitUntilIdle();
    await opened.getRow(60).waitFor();
    await waitUntil(() => listSent('jump').length > 0);
    assert.deepEqual(listSent('jump'), [{ at: noon }]);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      host.dropped = 3;
      host.hasOlder = true;
      host.rows.set(490, gapRow('Lost.'));
      await open({ theme });
      const failing = { state: 'retrying', detail: 'Cannot reach it.' } as const;
      sendParts([...liveParts, { key: 'c', label: 'rover-09', ...failing }]);
      await opened
        .getRow(last - 3)
        .locator('.twist')
        .click();
      await opened.page.locator('.details').getByText('"rpm": 42').waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
