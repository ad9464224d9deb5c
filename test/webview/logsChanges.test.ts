import assert from 'node:assert/strict';
import { everyLine, type LogPart } from '../../src/shared/logs';
import { waitUntil } from '../support/waitUntil';
import { type FakeLogHost, liveParts } from './support/fakeLogHost';
import type { LogPage } from './support/logPage';
import { logSuite } from './support/logSuite';

const LINES = 500;

describe('the log panel while it changes', function () {
  this.timeout(120_000);
  const panel = logSuite();
  let host: FakeLogHost;
  let opened: LogPage;

  beforeEach(() => {
    ({ host } = panel);
    host.end = LINES;
  });

  function sendParts(parts: readonly LogPart[]): void {
    opened.webview.notify('partsChanged', { parts, panel: 'panel 1' });
  }

  async function open(options: { state?: unknown } = {}): Promise<void> {
    opened = await panel.open(options);
  }

  async function sent(name: string, count = 1): Promise<readonly unknown[]> {
    const list = (): readonly unknown[] =>
      host.sent.filter(([one]) => one === name).map(([, params]) => params);
    await waitUntil(() => list().length >= count);
    return list();
  }

  const last = LINES - 1;

  it('counts only lines after the previous newest line as new', async () => {
    await open();
    await opened.getRow(last - 3).click();
    await waitUntil(() => host.followed === 0);
    host.end += 998;
    host.notifyChange({ moves: [{ at: 100, by: 995 }] });
    await opened.button('3 new lines').waitFor();
    host.end += 5;
    host.notifyChange({ moves: [{ at: 100, by: 5 }] });
    await opened.waitUntilIdle();
    assert.equal(await opened.button('3 new lines').count(), 1);
  });

  it('preserves text that is being typed while parts and other filters change', async () => {
    await open();
    const input = opened.page.getByRole('textbox', { name: 'Filter lines' });
    const parts = liveParts.map((part) => ({ ...part, state: 'connecting' }));
    // Do this in one turn of the page's event loop, before the debounce time ends.
    const value = await opened.page.evaluate(
      (params) => {
        const box = document.querySelector<HTMLInputElement>('.filter-input');
        if (!box) return undefined;
        box.value = 'rpm';
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
        const data = { type: 'notification', method: 'partsChanged', params };
        window.dispatchEvent(new MessageEvent('message', { data }));
        return box.value;
      },
      { parts, panel: 'panel 1' },
    );
    assert.equal(value, 'rpm');
    await opened.page.locator('.chip').getByText('connecting').first().waitFor();
    assert.deepEqual(await sent('setFilter'), [{ ...everyLine, text: 'rpm' }]);
    await opened.page.evaluate(() => {
      const box = document.querySelector<HTMLInputElement>('.filter-input');
      if (box) box.value = 'amps';
      box?.dispatchEvent(new InputEvent('input', { bubbles: true }));
      document.querySelector<HTMLElement>('[data-focus="level debug"]')?.click();
    });
    const levels = ['info', 'warn', 'error', 'other'];
    assert.deepEqual((await sent('setFilter', 2))[1], { ...everyLine, text: 'amps', levels });
    assert.equal(await input.inputValue(), 'amps');
  });

  it('counts down to the next connection attempt without replacing the controls', async () => {
    await open();
    const retryAt = Date.now() + 60_000;
    const failing = { state: 'retrying', detail: 'Cannot reach it.', retryAt } as const;
    const parts = liveParts.map((part, index) => (index === 0 ? { ...part, ...failing } : part));
    sendParts(parts);
    const notice = opened.page.getByText(/rover-07: retrying in \d+ s/);
    const tries = opened.button('Try Now');
    await tries.focus();
    const controls = opened.page.locator('header button');
    await controls.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).dataset.before = '';
    });
    const count = await controls.count();
    const before = await notice.innerText();
    await waitUntil(async () => (await notice.innerText()) !== before);
    // A change to one part doesn't replace the other parts' controls either.
    sendParts([...parts.slice(0, 1), { ...liveParts[1], state: 'connecting' } as LogPart]);
    const chip = opened.page.locator('.chip').filter({ hasText: 'rover-08 › arm' });
    await chip.getByText('connecting').waitFor();
    assert.equal(await opened.page.locator('header button[data-before]').count(), count);
    assert.ok(await tries.evaluate((button) => button === document.activeElement));
    assert.match(
      await opened.page.locator('.chip').first().innerText(),
      /rover-07\s*retrying in \d+ s/,
    );
  });

  it('reports no missing lines if a jump fails or another one replaces it', async () => {
    await open({ state: { panel: 'panel 1', filter: everyLine, utc: true } });
    await opened.button('Jump to Time…').click();
    const box = opened.page.getByLabel('Time (UTC)');
    const message = opened.page.locator('.jump-message');
    host.failure = new Error('The service is gone.');
    await box.press('Enter');
    await opened.page.getByText('The service is gone.').waitFor();
    assert.equal(await message.innerText(), '');
    host.failure = undefined;
    const jumping = Promise.withResolvers<undefined>();
    host.jumping = jumping.promise;
    await box.press('Enter');
    await sent('jump', 2);
    host.jumpTo = 40;
    await box.press('Enter');
    await sent('jump', 3);
    assert.equal(await message.innerText(), 'Searching for that time…');
    jumping.resolve(undefined);
    await opened.getRow(40).and(opened.page.locator('[aria-selected=true]')).waitFor();
    assert.equal(await message.innerText(), '');
  });

  it('completes a jump although the lines are replaced in the meantime', async () => {
    await open({ state: { panel: 'panel 1', filter: everyLine, utc: true } });
    await opened.list.press('Home');
    await opened.waitUntilIdle();
    await opened.button('Jump to Time…').click();
    const jumping = Promise.withResolvers<undefined>();
    host.jumping = jumping.promise;
    host.jumpTo = 240;
    await opened.page.getByLabel('Time (UTC)').press('Enter');
    await sent('jump');
    host.notifyChange({ reset: true });
    await opened.waitUntilIdle();
    jumping.resolve(undefined);
    await opened.getRow(240).and(opened.page.locator('[aria-selected=true]')).waitFor();
    assert.equal((await sent('jump')).length, 1);
    // The position is restored again after the next change.
    host.notifyChange({ reset: true });
    await sent('jump', 2);
  });

  it('reports that it is paused if new lines wait after it was cleared', async () => {
    host.end = 0;
    await open();
    host.paused = true;
    host.waiting = 9;
    const counts = { buffered: 9, limit: 10, dropped: 0, missed: 0, waiting: 9 };
    host.notifyChange({ counts });
    const state = opened.page.locator('.empty-state');
    await state.getByText('Paused. New lines appear when you resume.').waitFor();
    await state.getByRole('button', { name: 'Resume' }).click();
    await waitUntil(() => !host.paused);
  });
});
