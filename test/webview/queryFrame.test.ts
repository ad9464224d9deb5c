import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import type { QueryPanelState } from '../../src/shared/query/queryPanel';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { FakeQueryHost } from './support/fakeQueryHost';
import { QueryPage } from './support/queryPage';
import { sharedBrowser } from './support/sharedBrowser';
import { themeKinds, type ThemeKind } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

const SELECT = 'SELECT * FROM readings LIMIT 10';

describe('the query panel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeQueryHost;
  let query: QueryPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('query')]);
  });

  beforeEach(() => {
    host = new FakeQueryHost();
    host.start = { texts: { sql: SELECT } };
  });

  afterEach(async () => {
    const { pageErrors: complaints } = query.webview;
    await query.close();
    assert.deepEqual(complaints, []);
  });

  async function open(options: { theme?: ThemeKind; state?: unknown } = {}): Promise<void> {
    query = await QueryPage.open(browser, { host, files, ...options });
  }

  /** Opens a narrow panel for an organization with a name of typical length. */
  async function openNarrow(): Promise<void> {
    await open();
    query.webview.notify('organizationNamed', { name: 'Norrvik Automation' });
    await query.page.getByRole('heading', { name: /Norrvik/ }).waitFor();
  }

  /** Returns panel widths at which the toolbar wraps in different places. */
  const widths = (): readonly number[] =>
    Array.from({ length: 16 }, (_, index) => 380 + index * 40);

  const press = (keys: string): Promise<void> => query.page.keyboard.press(keys);
  const focused = (): Promise<string | undefined> =>
    query.page.evaluate(
      () =>
        document.activeElement?.closest<HTMLElement>('[data-focus]')?.getAttribute('data-focus') ??
        '',
    );
  const notice = () => query.page.locator('.query-notice');

  /** Performs an action and returns the run that it requests from the host. */
  async function runs(act: () => Promise<unknown>): Promise<Record<string, unknown>> {
    const before = host.getSent('runQuery').length;
    await act();
    await waitUntil(() => host.getSent('runQuery').length > before);
    return host.getSent('runQuery')[before] as Record<string, unknown>;
  }

  it('focuses the editor with the text of its language, and names the organization', async () => {
    await open();
    assert.equal(await query.text(), SELECT);
    assert.equal(await focused(), 'query editor');
    await query.page.getByText('Readings of Acme').waitFor();
    assert.equal(await query.button('SQL').getAttribute('aria-pressed'), 'true');
    await waitUntil(() => host.getSent('begin').length === 1);
  });

  it('shows complete menus at any position of their buttons', async () => {
    await openNarrow();
    for (const width of [...widths(), 120]) {
      await query.page.setViewportSize({ width, height: 420 });
      await query.button('More').first().click();
      const box = await query.page.locator('.menu:visible').boundingBox();
      assert.ok(box);
      assert.ok(box.x >= 0 && box.x + box.width <= width, `${width}: ${box.x} + ${box.width}`);
      assert.ok(box.y + box.height <= 420, `${width}: ${box.y} + ${box.height}`);
      await press('Escape');
    }
  });

  it('does not wrap a single toolbar button in a narrow panel', async () => {
    await openNarrow();
    const top = async (name: string): Promise<number | undefined> =>
      (await query.button(name).first().boundingBox())?.y;
    for (const width of widths()) {
      await query.page.setViewportSize({ width, height: 600 });
      assert.equal(await top('More'), await top('History'), `${width}`);
    }
  });

  it('follows the name of the organization', async () => {
    await open();
    query.webview.notify('organizationNamed', { name: 'Acme & Sons' });
    await query.page.getByRole('heading', { name: 'Readings of Acme & Sons' }).waitFor();
  });

  it('does not move the focus if the user moved it in the meantime', async () => {
    const within = (): Promise<string> =>
      query.page.evaluate(() => document.activeElement?.className ?? '');
    await open();
    await query.page.evaluate(() => {
      // Simulate VS Code showing its command palette over the page.
      Object.assign(document, {
        hasFocus(): boolean {
          return false;
        },
      });
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    query.webview.notify('queryInserted', { language: 'sql', text: 'SELECT 2' });
    await query.page.getByText('SELECT 2').waitFor();
    assert.doesNotMatch(await within(), /cm-content/);
    await query.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await query.page.waitForFunction(() =>
      document.activeElement?.classList.contains('cm-content'),
    );
  });

  it('runs the query with a key and a button, and shows its result', async () => {
    await open();
    assert.equal(await query.results.count(), 0);
    const request = await runs(() => press('Control+Enter'));
    assert.deepEqual(request, {
      language: 'sql',
      text: SELECT,
      recent: false,
      parameters: {},
    });
    await query.results.getByText('part-1').first().waitFor();
    await runs(() => query.button('Run').click());
    assert.equal(await query.text(), SELECT);
  });

  it('runs only the selection', async () => {
    await open();
    await query.rewrite('SELECT 1;\nSELECT 2');
    await press('Shift+Home');
    const request = await runs(() => press('Control+Shift+Enter'));
    assert.equal(request.text, 'SELECT 2');
    await press('End');
    await query.button('Run Selection').focus();
    await press('Enter');
    await notice().getByText('First, select the part of the query to run.').waitFor();
    await query.webview.waitUntilIdle();
    assert.equal(host.getSent('runQuery').length, 1);
  });

  it('links back to the query if it returned no rows', async () => {
    await open();
    host.results.rows = 0;
    host.show({ result: 'result 1' });
    await query.button('Edit Query').click();
    await query.page.locator('.cm-content:focus').waitFor();
  });

  it('reports that there is nothing to run', async () => {
    host.start = {};
    await open();
    await press('Control+Enter');
    await notice().getByText('There is no query to run.').waitFor();
    await query.webview.waitUntilIdle();
    assert.equal(host.getSent('runQuery').length, 0);
  });

  it('cancels only the running query', async () => {
    await open();
    assert.equal(await query.button('Cancel').first().isDisabled(), true);
    const running = { state: 'running', rows: 1 } as const;
    host.answers.runQuery = () => {
      const result = `slow ${host.getSent('runQuery').length}`;
      host.show({ result }, running);
      return Promise.resolve({ result });
    };
    await runs(() => press('Control+Enter'));
    await query.page.locator('[data-focus="query cancel"]:enabled').waitFor();
    assert.equal(await query.button('Cancel').count(), 1);
    await press('Shift+Escape');
    await waitUntil(() => host.getSent('cancelResult').length === 1);
    assert.deepEqual(host.getSent('cancelResult'), [{ result: 'slow 1' }]);
    host.show({ result: 'slow 1' }, { state: 'canceled' });
    await query.page.locator('[data-focus="query cancel"]:disabled').waitFor();
  });

  it('stores a text for each language, with its own undo', async () => {
    host.start = { texts: { sql: SELECT, mql: '[{ "$limit": 1 }]' } };
    await open();
    await press('Control+End');
    await query.write('0');
    await query.button('MQL').click();
    assert.equal(await query.text(), '[{ "$limit": 1 }]');
    assert.equal(await query.content.getAttribute('aria-label'), 'Query in MQL');
    await query.content.focus();
    await press('Control+z');
    assert.equal(await query.text(), '[{ "$limit": 1 }]');
    await query.button('SQL').click();
    assert.equal(await query.text(), `${SELECT}0`);
    await query.content.focus();
    await press('Control+z');
    assert.equal(await query.text(), SELECT);
  });

  it('offers recent data only in MQL, and explains this in SQL', async () => {
    await open();
    const recent = query.button('Recent Data Only');
    assert.equal(await recent.getAttribute('aria-disabled'), 'true');
    await recent.focus();
    await press('Enter');
    await notice().getByText('To query only recent data, use MQL.').waitFor();
    await query.button('MQL').click();
    await query.rewrite('[]');
    await recent.click();
    assert.equal(await recent.getAttribute('aria-pressed'), 'true');
    const checked = () => host.getSent('checkQuery').at(-1) as { readonly recent: boolean };
    await waitUntil(() => checked().recent);
    assert.equal((await runs(() => press('Control+Enter'))).recent, true);
    await query.button('SQL').click();
    assert.equal((await runs(() => press('Control+Enter'))).recent, false);
  });

  it('prompts for the values of parameters, and allows selecting them', async () => {
    host.answers.checkQuery = ({ text }) =>
      Promise.resolve({
        diagnostics: [],
        parameters: text.includes(':part') ? ['part', 'limit'] : [],
      });
    host.answers.pickParameter = ({ name }) => Promise.resolve({ value: `id of ${name}` });
    host.answers.runQuery = ({ parameters }) =>
      'part' in parameters && 'limit' in parameters
        ? Promise.resolve({ result: 'r' })
        : Promise.reject(new FleetError('invalid', 'Give limit a value.'));
    host.start = { texts: { sql: 'SELECT :part LIMIT :limit' } };
    await open();
    const part = query.page.getByLabel('part', { exact: true });
    await part.waitFor();
    await query.button('Select the value of part from the fleet').click();
    await query.page.locator('[data-focus="parameter part"]:focus').waitFor();
    assert.equal(await part.inputValue(), 'id of part');
    await runs(() => press('Enter'));
    await notice().getByText('Give limit a value.').waitFor();
    assert.equal(await focused(), 'parameter limit');
    await query.page.keyboard.insertText('5');
    const request = await runs(() => press('Enter'));
    assert.deepEqual(request.parameters, { part: 'id of part', limit: '5' });
    await query.rewrite('SELECT 1');
    await part.waitFor({ state: 'detached' });
    await query.rewrite('SELECT :part');
    await part.waitFor();
    assert.equal(await part.inputValue(), 'id of part');
    await part.fill('');
    assert.deepEqual((await runs(() => press('Enter'))).parameters, { limit: '5' });
  });

  it('runs an earlier query with the known values', async () => {
    host.answers.checkQuery = ({ text }) =>
      Promise.resolve({ diagnostics: [], parameters: text.includes(':part') ? ['part'] : [] });
    host.answers.runQuery = ({ parameters }) =>
      'part' in parameters
        ? Promise.resolve({ result: 'r' })
        : Promise.reject(new FleetError('invalid', 'Enter a value for part first.'));
    host.entries = [{ id: '1', language: 'sql', text: 'SELECT :part', at: 0 }];
    const again = async (): Promise<Record<string, unknown>> => {
      await query.button('History').click();
      await query.page.getByRole('option').waitFor();
      return runs(() => query.button('Run Again').click());
    };
    await open();
    assert.deepEqual((await again()).parameters, {});
    await query.page.locator('[data-focus="parameter part"]:focus').waitFor();
    await query.page.keyboard.insertText('p1');
    await query.rewrite('SELECT 1');
    assert.deepEqual((await again()).parameters, { part: 'p1' });
  });

  it('inserts an ID at the cursor, in quotes unless it is within some', async () => {
    host.answers.pickId = () => Promise.resolve({ value: 'ab-1' });
    host.start = { texts: { sql: 'WHERE part_id = ' } };
    await open();
    await press('Control+End');
    await query.button('Insert ID…').click();
    await query.page.locator('.cm-content:focus').waitFor();
    assert.equal(await query.text(), "WHERE part_id = 'ab-1'");
    await press('ArrowLeft');
    await query.button('Insert ID…').click();
    await waitUntil(() => host.getSent('pickId').length === 2);
    await query.page.getByText("'ab-1ab-1'").waitFor();
  });

  it('offers to start the local fleet after an error if necessary', async () => {
    const stopped = 'The local fleet is not running.';
    host.answers.pickId = () =>
      Promise.reject(new FleetError('unavailable', stopped, { action: 'startLocalFleet' }));
    await open();
    await query.button('Insert ID…').click();
    await notice().getByText(stopped, { exact: true }).waitFor();
    await query.button('Start Local Fleet').click();
    await waitUntil(() => host.getSent('startLocalFleet').length === 1);
    assert.equal(await notice().getByText(stopped).count(), 0);
  });

  it('accepts a text from the host, which can be undone', async () => {
    await open();
    query.webview.notify('queryInserted', { language: 'mql', text: '[]' });
    await query.page.locator('.cm-content[aria-label="Query in MQL"]').waitFor();
    assert.equal(await query.text(), '[]');
    assert.equal(await focused(), 'query editor');
  });

  it('explains why queries are unavailable, and continues after that with the same text', async () => {
    await open();
    const problem = 'This key has no role in Acme. Ask an owner for the role operator.';
    query.webview.notify('problemChanged', { problem, recovery: 'signIn' });
    await query.page.locator('.query-trouble').getByText(problem).waitFor();
    assert.equal(await query.button('Run').getAttribute('aria-disabled'), 'true');
    await press('Control+Enter');
    await notice().getByText(problem).waitFor();
    await query.webview.waitUntilIdle();
    assert.equal(host.getSent('runQuery').length, 0);
    await query.button('Sign In').click();
    await waitUntil(() => host.getSent('signIn').length === 1);
    query.webview.notify('problemChanged', {});
    await query.page.locator('.query-trouble').waitFor({ state: 'hidden' });
    await query.content.focus();
    assert.equal((await runs(() => press('Control+Enter'))).text, SELECT);
  });

  it('offers example queries in the selected language', async () => {
    host.start = {};
    await open();
    await query.button(/^The latest readings/).click();
    assert.match(await query.text(), /ORDER BY time_received DESC/);
    assert.equal(await focused(), 'query editor');
    await query.button('MQL').click();
    await query.button(/^Readings of one part/).click();
    assert.match(await query.text(), /"part_id": "\{\{part_id\}\}"/);
    assert.ok(Array.isArray(JSON.parse(await query.text())));
    await runs(() => press('Control+Enter'));
    await query.page.locator('.query-empty').waitFor({ state: 'detached' });
  });

  it('saves the text as a file and opens one', async () => {
    await open();
    await query.button('More').first().click();
    await press('Enter');
    await waitUntil(() => host.getSent('saveQuery').length === 1);
    assert.deepEqual(host.getSent('saveQuery'), [{ language: 'sql', text: SELECT }]);
    await query.button('More').first().click();
    await query.page.getByRole('menuitem', { name: 'Open File…' }).click();
    await waitUntil(() => host.getSent('openQuery').length === 1);
  });

  it('changes the height of the editor with keys and mouse, and preserves it', async () => {
    await open();
    const splitter = query.page.getByRole('separator');
    const height = (): Promise<number> =>
      query.page.locator('.query-top').evaluate((top) => top.getBoundingClientRect().height);
    const before = await height();
    await splitter.focus();
    await press('ArrowDown');
    assert.ok((await height()) > before);
    const box = await splitter.boundingBox();
    assert.ok(box);
    await query.page.mouse.move(box.x + 50, box.y);
    await query.page.mouse.down();
    await query.page.mouse.move(box.x + 50, box.y - 80, { steps: 3 });
    await query.page.mouse.up();
    const dragged = await height();
    assert.ok(dragged < before);
    const state = (await query.webview.state()) as QueryPanelState;
    await query.close();
    await open({ state });
    assert.equal(Math.round(await height()), Math.round(dragged));
  });

  it('restores its text after a reload, and nothing of another panel', async () => {
    await open();
    await query.rewrite('SELECT 2');
    await query.button('MQL').click();
    await query.rewrite('[{}]');
    await query.button('Recent Data Only').click();
    const state = (await query.webview.state()) as QueryPanelState;
    await query.close();
    await open({ state });
    assert.equal(await query.text(), '[{}]');
    assert.equal(await query.button('Recent Data Only').getAttribute('aria-pressed'), 'true');
    await query.button('SQL').click();
    assert.equal(await query.text(), 'SELECT 2');
    await query.close();
    await open({ state: { ...state, panel: 'panel 2' } });
    assert.equal(await query.text(), SELECT);
  });

  it('reports that the service does not respond, and still runs queries', async () => {
    await open();
    const problem = "The service isn't responding. Queries resume when it responds again.";
    query.webview.notify('problemChanged', { problem, canRun: true });
    const bar = query.page.getByRole('alert').filter({ hasText: problem });
    await bar.waitFor();
    assert.equal(await bar.getByRole('button').count(), 0);
    await runs(() => query.button('Run').click());
    query.webview.notify('problemChanged', {});
    await bar.waitFor({ state: 'detached' });
  });

  it('shows the executed statement and the time above the result, even after the draft changed', async () => {
    await open();
    const statement = 'SELECT part_id\n\tFROM readings\nLIMIT 3';
    const at = Date.UTC(2026, 10, 21, 12, 30, 5);
    host.show({
      result: 'result 1',
      origin: { language: 'sql', statement, at, organization: 'Acme' },
    });
    const header = query.results.locator('.run-header');
    await header.getByText('SQL · Query panel', { exact: true }).waitFor();
    await header.getByText(/^Nov 21, 2026, /).waitFor();
    await query.rewrite('SELECT 2');
    const preview = header.locator('.run-preview');
    assert.equal(await preview.textContent(), 'SELECT part_id FROM readings LIMIT 3');
    const whole = header.getByRole('region', { name: 'Statement that was run' });
    assert.equal(await whole.isVisible(), false);
    await header.locator('summary').focus();
    await press('Enter');
    await whole.waitFor();
    assert.equal(await whole.textContent(), statement);
    assert.equal(await preview.isVisible(), false);
    assert.equal(await header.getByRole('button').count(), 0);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      host.answers.checkQuery = () =>
        Promise.resolve({
          diagnostics: [
            {
              start: 0,
              end: 6,
              severity: 'warning',
              rule: 'noLimit',
              message: 'No limit.',
              fixes: [{ title: 'Add LIMIT 1000', edits: [] }],
            },
          ],
          parameters: ['part_id'],
        });
      await open({ theme });
      await query.page.locator('.query-problems li').waitFor();
      assert.deepEqual(await findAxeViolations(query.page), []);
      query.webview.notify('problemChanged', {
        problem: 'You are signed out.',
        recovery: 'signIn',
      });
      await query.page.locator('.query-trouble').getByText('signed out').waitFor();
      await query.page.setViewportSize({ width: 300, height: 700 });
      assert.deepEqual(await findAxeViolations(query.page), []);
      const isWider = await query.page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      assert.equal(isWider, false);
    });
  }
});
