import { waitUntil } from '../support/waitUntil';
import { FakeResultHost } from './support/fakeResultHost';
import { NotebookPage } from './support/notebookPage';
import { pseudoLocale, pseudoSuite } from './support/pseudoSuite';
import { bundleApp, drawn } from './support/webviewPage';

const AWAY = 'The service is away.';
/** Texts of the results, and of the page around them. */
const data = [
  ...['Other output', 'reading part', 'readings celsius note', 'data time_received part_id', AWAY],
];

describe('a pseudo-translated notebook output shows no bare English string', function () {
  this.timeout(120_000);
  const suite = pseudoSuite();
  let host: FakeResultHost;
  let opened: NotebookPage;

  beforeEach(() => {
    host = new FakeResultHost();
  });

  async function open(): Promise<void> {
    opened = await NotebookPage.open(suite.browser, host, await bundleApp('queryNotebook'), {
      locale: pseudoLocale,
    });
    const { page, pageErrors } = opened;
    suite.view = {
      page,
      pageErrors,
      waitUntilIdle: () => drawn(page),
      close: () => opened.close(),
    };
    await opened.render(host.result);
  }

  async function openRows(): Promise<void> {
    await open();
    await opened.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
  }

  it('with rows, a cell, filters, columns, and a menu', async () => {
    await openRows();
    await suite.check('rows', data);
    await opened.page.getByRole('grid').focus();
    await opened.page.keyboard.press('Enter');
    await opened.page.locator('.viewer-text').waitFor();
    await suite.check('cell', data);
    await opened.page.keyboard.press('Escape');
    for (const name of ['Filter…', 'Columns…', 'More']) {
      await suite.click(name);
      await suite.check(name, data);
      await opened.page.keyboard.press('Escape');
    }
  });

  it('with rows as JSON', async () => {
    await openRows();
    await suite.click('JSON');
    await opened.page.getByRole('treeitem').first().waitFor();
    await opened.page.getByRole('tree').focus();
    await opened.page.keyboard.press('ArrowRight');
    await opened.page.locator('[role=treeitem][aria-level="2"]').first().waitFor();
    await suite.check('JSON', data);
  });

  it('with a chart', async () => {
    await openRows();
    await suite.click('Chart');
    await opened.page.getByRole('row').nth(1).waitFor();
    await suite.check('chart', data);
  });

  it('without rows, and when it fails', async () => {
    host.rows = 0;
    await open();
    const output = opened.page.locator('.fleetwright-output');
    const problem = { message: AWAY, action: 'retry' };
    for (const status of [
      ...[{ state: 'waiting' as const }, { state: 'canceled' as const }],
      ...[{ state: 'complete' as const, isMissingTimeBound: true }],
      { state: 'failed' as const, problem },
    ]) {
      const before = await output.innerText();
      host.status = status;
      host.notifyStatus();
      await waitUntil(async () => (await output.innerText()) !== before);
      await suite.check(status.state, data);
    }
  });
});
