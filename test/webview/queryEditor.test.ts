import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { QueryDiagnostic } from '../../src/shared/query/editor';
import { waitUntil } from '../support/waitUntil';
import { FakeQueryHost } from './support/fakeQueryHost';
import { QueryPage } from './support/queryPage';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, bundleApp } from './support/webviewPage';

const noLimit: QueryDiagnostic = {
  start: 0,
  end: 6,
  severity: 'warning',
  rule: 'noLimit',
  message: 'The query has no LIMIT.',
  fixes: [{ title: 'Add LIMIT 1000', edits: [{ start: 8, end: 8, insert: '\nLIMIT 1000' }] }],
};

/** `interactionDelay` of the editor's completions, plus a margin. */
const TAKES_KEYS_AFTER_MS = 100;

describe('the editor of queries in a browser', function () {
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
  });

  afterEach(async () => {
    const { pageErrors: complaints } = query.webview;
    await query.close();
    assert.deepEqual(complaints, []);
  });

  async function open(options: { state?: unknown } = {}): Promise<void> {
    query = await QueryPage.open(browser, { host, files, ...options });
  }

  const press = (keys: string): Promise<void> => query.page.keyboard.press(keys);
  const options = (): Locator => query.page.locator('.cm-tooltip-autocomplete [role=option]');
  /**
   * Waits until options are shown and the editor accepts keys for them. The editor ignores keys at
   * first, because the user might still be typing.
   */
  async function offered(): Promise<void> {
    await options().first().waitFor();
    await query.page.evaluate(
      (ms) => new Promise((done) => setTimeout(done, ms)),
      TAKES_KEYS_AFTER_MS,
    );
  }
  /** Returns the width of a character in pixels; the editor's font is monospaced. */
  const letterWidth = (): Promise<number> =>
    query.page.locator('.cm-line').evaluate((line) => {
      const range = document.createRange();
      range.selectNodeContents(line);
      return range.getBoundingClientRect().width / line.textContent.length;
    });
  const mark = (severity: string): Locator => query.page.locator(`.cm-lintRange-${severity}`);
  const problems = (): Locator => query.page.locator('.query-problems li');

  it('highlights syntax', async () => {
    host.start = { texts: { sql: "SELECT data, true FROM readings WHERE a = 'b' -- c", mql: '' } };
    await open();
    await query.page.locator('.tok-keyword', { hasText: 'SELECT' }).waitFor();
    const keywords = await query.page.locator('.tok-keyword').allInnerTexts();
    assert.deepEqual(keywords, ['SELECT', 'FROM', 'WHERE']);
    assert.equal(await query.page.locator('.tok-bool').innerText(), 'true');
    assert.equal(await query.page.locator('.tok-string').innerText(), "'b'");
    assert.equal(await query.page.locator('.tok-comment').innerText(), '-- c');
    await query.button('MQL').click();
    await query.write('[{ "$match": { "part_id": "$x", "n": 1 } }] // end');
    await query.page.locator('.tok-keyword', { hasText: '"$match"' }).waitFor();
    assert.equal(await query.page.locator('.tok-propertyName').first().innerText(), '"part_id"');
    assert.equal(await query.page.locator('.tok-variableName').innerText(), '"$x"');
    assert.equal(await query.page.locator('.tok-comment').innerText(), '// end');
  });

  it('completes text in the order of the host, also with Tab', async () => {
    host.answers.completeQuery = ({ offset, text }) =>
      Promise.resolve({
        from: text.lastIndexOf(' ', offset - 1) + 1,
        options: [
          { label: 'time_received', kind: 'column', detail: 'TIMESTAMP', info: 'When it came.' },
          { label: 'time_requested', kind: 'column', detail: 'TIMESTAMP' },
          { label: 'part_id', kind: 'column' },
        ],
      });
    await open();
    await query.content.focus();
    await query.page.keyboard.type('SELECT ti');
    await offered();
    assert.match((await options().allInnerTexts()).join(), /time_received.*,.*time_requested/s);
    await query.page.getByText('When it came.').waitFor();
    await press('ArrowDown');
    await query.page.locator('[aria-selected=true]', { hasText: 'time_requested' }).waitFor();
    await press('Tab');
    assert.equal(await query.text(), 'SELECT time_requested');
  });

  it('fills in the fields of a snippet one by one', async () => {
    host.answers.completeQuery = () =>
      Promise.resolve({
        from: 3,
        options: [
          {
            label: '$group',
            kind: 'stage',
            isSnippet: true,
            insert: '"\\$group": { "_id": "\\$${1:part_id}", "n": { "\\$sum": ${2:1} } }$0',
          },
        ],
      });
    host.start = { language: 'mql' };
    await open();
    await query.content.focus();
    await query.page.keyboard.type('[{');
    await query.page.keyboard.type(' "$gr');
    await offered();
    assert.match(await options().first().innerText(), /^.?\s*\$group/);
    await press('Enter');
    const filled = '[{ "$group": { "_id": "$part_id", "n": { "$sum": 1 } }}]';
    await query.page.locator('.cm-line', { hasText: filled }).waitFor();
    await query.page.keyboard.insertText('robot_id');
    await press('Tab');
    await query.page.keyboard.insertText('2');
    assert.equal(await query.text(), '[{ "$group": { "_id": "$robot_id", "n": { "$sum": 2 } }}]');
  });

  it('inserts a name with the characters of snippets as it is', async () => {
    const insert = '"a\\\\\\$${1:b}\\${HOME\\}#{X\\}": $0';
    host.answers.completeQuery = () =>
      Promise.resolve({
        from: 3,
        options: [{ label: 'a', kind: 'field', isSnippet: true, insert }],
      });
    host.start = { language: 'mql' };
    await open();
    await query.content.focus();
    await query.page.keyboard.type('[{');
    await query.page.keyboard.type(' "a');
    await offered();
    await press('Enter');
    await query.page.locator('.cm-line', { hasText: 'HOME' }).waitFor();
    assert.equal(await query.text(), '[{ "a\\$b${HOME}#{X}": }]');
  });

  it('replaces the closing quotation mark with a completion', async () => {
    host.answers.completeQuery = ({ offset }) =>
      Promise.resolve({
        from: 4,
        to: offset + 1,
        options: [{ label: '$limit', kind: 'stage', isSnippet: true, insert: '\\$limit": ${1:5}' }],
      });
    host.start = { language: 'mql' };
    await open();
    await query.content.focus();
    await query.page.keyboard.type('[{ "$li');
    await query.page.keyboard.type('m');
    await offered();
    await press('Enter');
    await query.page.locator('.cm-line', { hasText: '[{ "$limit": 5}]' }).waitFor();
    assert.equal(await query.text(), '[{ "$limit": 5}]');
  });

  it('continues without completions if the host has none', async () => {
    host.answers.completeQuery = () => Promise.reject(new Error('gone'));
    await open();
    await query.content.focus();
    await press('Control+Space');
    const getRequests = (): readonly unknown[] => host.getSent('completeQuery');
    await waitUntil(() => getRequests().some((one) => (one as { explicit: boolean }).explicit));
    await query.page.keyboard.type('SELECT 1');
    assert.equal(await query.text(), 'SELECT 1');
    assert.equal(await options().count(), 0);
  });

  it('shows warnings with text and position, and fixes them with the keyboard', async () => {
    host.answers.checkQuery = ({ text }) =>
      Promise.resolve({ diagnostics: text.includes('LIMIT') ? [] : [noLimit], parameters: [] });
    await open();
    await query.write('SELECT 1');
    await mark('warning').waitFor();
    assert.equal(await mark('warning').innerText(), 'SELECT');
    assert.match(
      await problems().innerText(),
      /Warning\s*The query has no LIMIT\.\s*line 1, column 1/,
    );
    await press('F8');
    await press('Control+.');
    await query.page.locator('.problem-fix:focus').waitFor();
    await press('Enter');
    await problems().waitFor({ state: 'detached' });
    assert.equal(await query.text(), 'SELECT 1\nLIMIT 1000');
    assert.equal(await mark('warning').count(), 0);
    await press('Control+z');
    assert.equal(await query.text(), 'SELECT 1');
  });

  it('ProblemList folds several warnings into one line and leaves errors visible', async () => {
    const noTime: QueryDiagnostic = {
      start: 0,
      end: 6,
      severity: 'warning',
      rule: 'noTime',
      fixes: [],
      message: 'There is no earliest time_received.',
    };
    const unknown: QueryDiagnostic = {
      start: 7,
      end: 8,
      severity: 'error',
      rule: 'unknownName',
      fixes: [],
      message: 'There is no column x.',
    };
    host.answers.checkQuery = ({ text }) =>
      Promise.resolve({
        diagnostics: text.includes('LIMIT') ? [noTime] : [noTime, unknown, noLimit],
        parameters: [],
      });
    host.start = { texts: { sql: 'SELECT x' } };
    await open();
    const fold = query.page.locator('.problem-fold summary');
    await fold.getByText('2 warnings: There is no earliest time_received.').waitFor();
    await problems().getByText('There is no column x.').waitFor();
    assert.equal(await problems().getByText('no LIMIT').isVisible(), false);
    await fold.focus();
    await press('Enter');
    await problems().getByText('no LIMIT').waitFor();
    const list = query.page.locator('.query-problems');
    await fold.getByText('2 warnings', { exact: true }).waitFor();
    assert.equal(await list.getByText('There is no earliest time_received.').count(), 1);
    await fold.focus();
    await press('Enter');
    await problems().getByText('no LIMIT').waitFor({ state: 'hidden' });
    await query.content.focus();
    await press('Control+.');
    await query.page.locator('.problem-fix:focus').waitFor();
    await press('Enter');
    await fold.waitFor({ state: 'detached' });
    await problems().getByText('There is no earliest time_received.').waitFor();
  });

  it('fixes a problem from its hover', async () => {
    host.answers.checkQuery = ({ text }) =>
      Promise.resolve({ diagnostics: text.includes('LIMIT') ? [] : [noLimit], parameters: [] });
    await open();
    await query.write('SELECT 1');
    await mark('warning').hover();
    const tooltip = query.page.locator('.cm-tooltip-lint');
    await tooltip.getByText('The query has no LIMIT.').waitFor();
    await tooltip.getByRole('button', { name: 'Add LIMIT 1000' }).click();
    await query.page.locator('.cm-line', { hasText: 'LIMIT 1000' }).waitFor();
  });

  it('checks only the latest text', async () => {
    const aborted: string[] = [];
    host.answers.checkQuery = ({ text }, signal) =>
      text.length < 10
        ? new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              aborted.push(text);
              reject(new Error('aborted'));
            }),
          )
        : Promise.resolve({ diagnostics: [{ ...noLimit, fixes: [] }], parameters: [] });
    await open();
    await query.write('SELECT 1');
    await waitUntil(() => host.getSent('checkQuery').length === 2);
    await query.write(' + 1');
    await mark('warning').waitFor();
    assert.deepEqual(aborted, ['', 'SELECT 1']);
  });

  it('shows the position of a failed run until the text changes', async () => {
    const problem = { message: 'Referenced column "tim" not found.', start: 7, end: 10 };
    host.answers.runQuery = () => {
      host.show({ result: 'bad' }, { state: 'failed', rows: 0, problem });
      return Promise.resolve({ result: 'bad' });
    };
    host.start = { texts: { sql: 'SELECT 0;\nSELECT tim FROM readings' } };
    await open();
    await press('Control+End');
    await press('Shift+Home');
    await press('Control+Shift+Enter');
    await mark('error').waitFor();
    assert.equal(await mark('error').innerText(), 'tim');
    assert.match(await problems().innerText(), /Error\s*Referenced column.*line 2, column 8/s);
    assert.equal(await query.results.getByText(/Referenced column/).count(), 0);
    await query.button(/^Referenced column/).click();
    await query.page.keyboard.insertText('x');
    await mark('error').waitFor({ state: 'detached' });
    await query.results.getByText('Referenced column "tim" not found.').waitFor();
    assert.equal(await query.text(), 'SELECT 0;\nSELECT xtim FROM readings');
    assert.equal(await problems().count(), 0);
  });

  it('reports an error once if the check and the run found it', async () => {
    const found: QueryDiagnostic = {
      start: 7,
      end: 10,
      severity: 'error',
      rule: 'unknownName',
      message: 'There is no column tim.',
      fixes: [{ title: 'Change to time_received', edits: [] }],
    };
    host.answers.checkQuery = () =>
      Promise.resolve({ diagnostics: [found, noLimit], parameters: [] });
    host.answers.runQuery = () => {
      const problem = { message: 'Referenced column "tim" not found.', start: 7 };
      host.show({ result: 'bad' }, { state: 'failed', rows: 0, problem });
      return Promise.resolve({ result: 'bad' });
    };
    host.start = { texts: { sql: 'SELECT tim FROM readings' } };
    await open();
    await problems().nth(1).waitFor({ state: 'attached' });
    await press('ControlOrMeta+Enter');
    await query.results.getByText('The query failed. See the error below the editor.').waitFor();
    assert.equal(await problems().count(), 2);
    assert.match(await problems().first().innerText(), /There is no column tim/);
    assert.equal(await query.results.getByText(/Referenced column/).count(), 0);
  });

  it('shows the position of a failed run even if the page was hidden in the meantime', async () => {
    await open();
    const text = 'SELECT x FROM readings LIMIT 1';
    await query.rewrite(text);
    const result = 'result 1';
    const problem = { message: 'There is no x.', start: 7, end: 8 };
    await query.page.keyboard.press('ControlOrMeta+Enter');
    // The page saves the run once the host has returned its result ID.
    const state = await query.webview.stateWith(result);
    await query.close();
    await open({ state });
    host.show({ result }, { state: 'failed', rows: 0, problem });
    await mark('error').waitFor();
    assert.equal(await mark('error').innerText(), 'x');
    await query.rewrite('SELECT y FROM readings LIMIT 1');
    await mark('error').waitFor({ state: 'detached' });
  });

  it('describes the name under the pointer', async () => {
    host.answers.hoverQuery = ({ text, offset }) => {
      const start = text.indexOf('part_id');
      assert.ok(offset >= start && offset <= start + 7);
      const code = 'part_id: text <img src=x>';
      return Promise.resolve({ hover: { start, end: start + 7, code, text: 'Who captured it.' } });
    };
    await open();
    await query.rewrite('SELECT part_id FROM readings LIMIT 1');
    const line = await query.page.locator('.cm-line').boundingBox();
    assert.ok(line);
    const letter = await letterWidth();
    await query.page.mouse.move(line.x + 9.5 * letter, line.y + line.height / 2);
    await query.page.mouse.move(line.x + 10 * letter, line.y + line.height / 2);
    const hover = query.page.locator('.query-hover');
    await hover.getByText('part_id: text <img src=x>').waitFor();
    await hover.getByText('Who captured it.').waitFor();
    assert.equal(await hover.locator('img').count(), 0);
  });

  it('releases the focus with Escape and then Tab, and indents with only Tab', async () => {
    await open();
    await query.write('a');
    await press('Home');
    await press('Tab');
    assert.equal(await query.text(), '  a');
    await press('Escape');
    await press('Tab');
    assert.equal(await query.page.locator('.cm-content:focus').count(), 0);
    assert.equal(await query.text(), '  a');
  });

  it('searches and replaces', async () => {
    await open();
    await query.write('one two one');
    await press('Control+f');
    await query.page.getByPlaceholder('Find').fill('one');
    await query.page.getByPlaceholder('Replace with').fill('three');
    await query.button('Replace All').click();
    assert.equal(await query.text(), 'three two three');
    await query.page.getByPlaceholder('Find').press('Escape');
    await query.page.locator('.cm-search').waitFor({ state: 'detached' });
    assert.equal(await query.page.locator('.cm-content:focus').count(), 1);
  });

  it('stops the propagation of keys that it handles', async () => {
    await open();
    await query.write('one');
    await query.page.evaluate(() => {
      const seen: string[] = [];
      (window as { seenKeys?: string[] }).seenKeys = seen;
      window.addEventListener('keydown', ({ key }) => seen.push(key));
    });
    for (const keys of ['Control+z', 'Control+f', 'Escape', 'Control+Enter', 'F6']) {
      await press(keys);
    }
    const seen = await query.page.evaluate(() => (window as { seenKeys?: string[] }).seenKeys);
    assert.deepEqual(
      seen?.filter((key) => key !== 'Control'),
      ['F6'],
    );
  });

  it('shows hostile names and long texts as text', async () => {
    const hostile = '<img src=x onerror="alert(1)">';
    host.answers.completeQuery = ({ offset }) =>
      Promise.resolve({
        from: offset,
        options: [{ label: hostile, kind: 'column', detail: hostile, info: hostile }],
      });
    host.answers.checkQuery = () =>
      Promise.resolve({
        diagnostics: [{ ...noLimit, message: hostile, start: -5, end: 10_000_000 }],
        parameters: [hostile],
      });
    host.start = { organization: hostile };
    await open();
    await query.write('x '.repeat(50_000));
    await problems().first().waitFor();
    await press('Control+Space');
    await options().first().waitFor();
    await query.page.getByLabel(hostile, { exact: true }).waitFor();
    // Match only images with a source, because the editor adds images without a source next to
    // inserted text.
    assert.equal(await query.page.locator('img[src]').count(), 0);
  });
});
