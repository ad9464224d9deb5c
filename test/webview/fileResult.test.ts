import './support/englishVscode';
import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { type FileResultStart, fileResultProtocol } from '../../src/shared/query/fileResult';
import type { RunOrigin } from '../../src/shared/query/results';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { FakeResultHost } from './support/fakeResultHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp, WebviewPage } from './support/webviewPage';

const origin: RunOrigin = {
  language: 'sql',
  organization: 'Acme',
  at: Date.UTC(2026, 10, 21, 12, 30, 5),
  statement: "SELECT part_id\nFROM readings\nWHERE part_id = 'x'",
  file: { name: 'parts.fleet.sql', firstLine: 3, lastLine: 5 },
};

describe('the result of a file in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeResultHost;
  let sent: string[];
  let view: WebviewPage<typeof fileResultProtocol>;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('fileResult')]);
  });

  beforeEach(() => {
    host = new FakeResultHost();
    sent = [];
  });

  afterEach(async () => {
    const { pageErrors: complaints } = view;
    await view.close();
    assert.deepEqual(complaints, []);
  });

  async function open(
    change: Partial<FileResultStart> = {},
    options: { theme?: ThemeKind; state?: unknown } = {},
  ): Promise<void> {
    view = await WebviewPage.open(browser, {
      app: 'fileResult',
      files,
      protocol: fileResultProtocol,
      ...options,
      handlers: {
        ...host.handlers,
        ready: () =>
          Promise.resolve({
            locale: 'en-US',
            run: 'run 0',
            origin,
            title: 'Result: parts.fleet.sql',
            isLost: false,
            ...change,
          }),
        begin: () => sent.push('begin'),
        runAgain: () => sent.push('runAgain'),
        showSource: () => sent.push('showSource'),
      },
    });
    host.notify = (status) => view.notify('resultChanged', status);
    await waitUntil(() => sent.includes('begin'));
  }

  function show(result: string, change: Partial<RunOrigin> = {}): void {
    host.result = result;
    view.notify('resultShown', {
      run: `run of ${result}`,
      shown: { result, origin: { ...origin, ...change } },
    });
    host.notifyStatus();
  }

  const source = (): Locator => view.page.locator('.run-source');
  const time = (): Locator => view.page.locator('.run-time');

  it('shows the lines of the file, the organization, the time, and the rows', async () => {
    await open();
    show('result 1');
    await source()
      .getByText(/^SQL · parts\.fleet\.sql, lines 3–5 · Acme$/)
      .waitFor();
    assert.match(await time().innerText(), /^Nov 21, 2026, /);
    await view.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
    assert.equal(await view.page.getByText('The rows were discarded').count(), 0);
    await view.page.getByRole('button', { name: 'View Source' }).click();
    await waitUntil(() => sent.includes('showSource'));
  });

  it('links to its source if the query returned no rows', async () => {
    host.rows = 0;
    await open();
    show('result 1');
    await view.page.getByRole('button', { name: 'Edit Query' }).click();
    await waitUntil(() => sent.includes('showSource'));
  });

  it('limits its header to two lines in a narrow panel, with the whole source in the tooltip', async () => {
    await open();
    await view.page.setViewportSize({ width: 300, height: 600 });
    const name = 'temperatures-of-all-grippers-in-the-north.fleet.sql';
    show('result 1', { file: { name, firstLine: 3, lastLine: 15 }, organization: 'Norrvik' });
    await source().filter({ hasText: name }).waitFor();
    const [first, second] = [await source().boundingBox(), await time().boundingBox()];
    const summary = await view.page.locator('summary').boundingBox();
    assert.ok(first && second && summary);
    assert.ok(second.y > first.y);
    assert.ok(summary.height < 4 * first.height, `${summary.height} pixels`);
    const tooltip = (await view.page.locator('summary').getAttribute('title')) ?? '';
    assert.match(tooltip, new RegExp(`^SQL · ${name}, lines 3–15 · Norrvik\nRun on `));
  });

  it('shows the whole time of the run at any width', async () => {
    await open();
    show('result 1');
    for (const width of [400, 267, 220]) {
      await view.page.setViewportSize({ width, height: 400 });
      const hidden = await time().evaluate(({ scrollWidth, clientWidth, parentElement }) => [
        scrollWidth - clientWidth,
        (parentElement?.scrollWidth ?? 0) - (parentElement?.clientWidth ?? 0),
      ]);
      assert.deepEqual(hidden, [0, 0], `at ${width} pixels`);
    }
  });

  it('uses the whole width of a narrow panel for the expanded statement', async () => {
    await open();
    await view.page.setViewportSize({ width: 400, height: 600 });
    show('result 1');
    await view.page.locator('summary').click();
    const statement = await view.page.locator('.run-statement').boundingBox();
    assert.ok(statement && statement.width > 370, `${statement?.width} pixels`);
  });

  it('replaces the last run with the next one', async () => {
    await open();
    show('result 1');
    await view.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
    await view.page.locator('summary').click();
    const file = { name: 'parts.fleet.sql', firstLine: 9, lastLine: 9 };
    show('result 2', { language: 'mql', statement: '[]', file });
    await source()
      .getByText(/^MQL · parts\.fleet\.sql, line 9 · /)
      .waitFor();
    assert.equal(await view.page.locator('.run-preview').textContent(), '[]');
    assert.equal(await view.page.locator('.results').count(), 1);
    assert.deepEqual(await view.stateWith('run of result 2'), {
      run: 'run of result 2',
      views: {},
    });
  });

  it('reports after a reload that the rows were discarded, and runs the statement again', async () => {
    await open({ isLost: true }, { state: { run: 'run 0', views: { a: 1 } } });
    await source()
      .getByText(/lines 3–5/)
      .waitFor();
    await view.page.getByText('The rows were discarded when the window was reloaded.').waitFor();
    assert.deepEqual(await view.stateWith('run 0'), { run: 'run 0', views: { a: 1 } });
    await view.page.getByRole('button', { name: 'Run Again' }).click();
    await waitUntil(() => sent.includes('runAgain'));
    show('result 1');
    await view.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
    assert.equal(await view.page.getByText('The rows were discarded').count(), 0);
  });

  it('shows that the service does not respond until it does', async () => {
    await open();
    host.rows = 0;
    host.status = { state: 'waiting' };
    show('result 1');
    await view.page.locator('.result-state', { hasText: 'Waiting for the first row…' }).waitFor();
    const notice = view.page.getByRole('alert').getByText("The service isn't responding.");
    view.notify('serviceChanged', { problem: "The service isn't responding." });
    await notice.waitFor();
    view.notify('serviceChanged', {});
    await notice.waitFor({ state: 'hidden' });
  });

  it('offers to cancel a running query', async () => {
    await open();
    host.status = { state: 'running' };
    show('result 1');
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await waitUntil(() => host.getSent('cancelResult').length === 1);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}, collapsed, expanded, and without its rows`, async () => {
      await open({}, { theme });
      show('result 1');
      await view.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
      assert.deepEqual(await findAxeViolations(view.page), []);
      await view.page.locator('summary').click();
      await view.page.getByRole('region', { name: 'Statement that was run' }).waitFor();
      assert.deepEqual(await findAxeViolations(view.page), []);
      await view.close();
      await open({ isLost: true }, { theme });
      await view.page.getByRole('button', { name: 'Run Again' }).waitFor();
      assert.deepEqual(await findAxeViolations(view.page), []);
    });
  }
});
