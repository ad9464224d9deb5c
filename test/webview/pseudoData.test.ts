import './support/englishVscode';
import { fileResultProtocol } from '../../src/shared/query/fileResult';
import type { RunOrigin } from '../../src/shared/query/results';
import { encodeImage } from '../../src/simulate/images/encodeImage';
import { hallScene } from '../../src/simulate/images/hallScene';
import { Random } from '../../src/simulate/random';
import { toPseudoText as t } from '../support/pseudoTexts';
import { waitUntil } from '../support/waitUntil';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { FakeQueryHost } from './support/fakeQueryHost';
import { pseudoLocale, pseudoSuite } from './support/pseudoSuite';
import { QueryPage } from './support/queryPage';
import { bundleApp, WebviewPage } from './support/webviewPage';

const NOON = Date.UTC(2026, 10, 21, 12);
const AWAY = 'The service is away.';

describe('a pseudo-translated data panel shows no bare English string', function () {
  this.timeout(120_000);
  const suite = pseudoSuite();

  describe('in queries', () => {
    const data = [
      ...['Acme', 'SELECT FROM WHERE ORDER BY LIMIT DESC', 'readings time_received part_id data'],
      ...['celsius note reading part', 'There is no column', AWAY],
      ...['component_name robot_id now INTERVAL DAY AND date_trunc hour AS count GROUP'],
    ];
    let host: FakeQueryHost;
    let query: QueryPage;

    beforeEach(() => {
      host = new FakeQueryHost();
      host.start = { locale: pseudoLocale, texts: { sql: 'SELECT part_id FROM readings' } };
    });

    async function open(): Promise<void> {
      query = await QueryPage.open(suite.browser, { host, files: await bundleApp('query') });
      suite.view = query.webview;
    }

    async function openResult(): Promise<void> {
      await open();
      host.show({ result: 'result 1' });
      await query.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
    }

    it('with templates', async () => {
      host.start = { locale: pseudoLocale };
      await open();
      await suite.check('templates', data);
    });

    it('with parameters, diagnostics, and a menu', async () => {
      const diagnostic = {
        start: 0,
        end: 6,
        severity: 'error' as const,
        rule: 'noColumn',
        fixes: [],
        message: 'There is no column',
      };
      host.answers.checkQuery = () =>
        Promise.resolve({ diagnostics: [diagnostic], parameters: ['part'] });
      await open();
      await query.page.locator('[data-focus="parameter part"]').waitFor();
      await suite.check('parameters', data);
      await suite.click('More');
      await suite.check('menu', data);
    });

    it('with its history', async () => {
      const at = NOON;
      host.entries = [{ id: '1', language: 'sql', text: 'SELECT part_id', at, rows: 3 }];
      await open();
      await suite.click('History');
      await query.page.getByRole('option').first().waitFor();
      await suite.check('entries', data);
    });

    for (const savesHistory of [true, false]) {
      it(`with an empty history${savesHistory ? '' : ' that is turned off'}`, async () => {
        host.savesHistory = savesHistory;
        await open();
        await suite.click('History');
        await query.page.locator('.query-history').waitFor();
        await suite.check('no entries', data);
      });
    }

    it('with a result, its filters, columns, and menus', async () => {
      await openResult();
      await suite.check('rows', data);
      await query.results.getByRole('grid').focus();
      await query.page.keyboard.press('Enter');
      await suite.check('cell', data);
      for (const name of ['Filter…', 'Columns…']) {
        await suite.click(name);
        await suite.check(name, data);
        await query.page.keyboard.press('Escape');
      }
      await query.results.getByRole('button', { name: t('More'), exact: true }).click();
      await suite.check('menu', data);
    });

    it('with a chart', async () => {
      await openResult();
      await suite.click('Chart');
      await query.page.getByRole('row').nth(1).waitFor();
      await suite.check('chart', data);
    });

    it('with results without rows, and failed ones', async () => {
      await open();
      host.results.rows = 0;
      const problem = { message: AWAY, action: 'retry' };
      for (const status of [
        ...[{ state: 'waiting' as const }, { state: 'canceled' as const }],
        ...[{ state: 'complete' as const, isMissingTimeBound: true }],
        { state: 'failed' as const, problem },
      ]) {
        host.show({ result: 'result 1' }, status);
        await suite.check(status.state, data);
      }
    });

    it('with the result of a file', async () => {
      const results = host.results;
      const origin: RunOrigin = {
        language: 'sql',
        organization: 'Acme',
        at: NOON,
        statement: 'SELECT part_id',
        file: { name: 'parts.fleet.sql', firstLine: 3, lastLine: 5 },
      };
      let begun = false;
      const view = await WebviewPage.open(suite.browser, {
        app: 'fileResult',
        files: await bundleApp('fileResult'),
        protocol: fileResultProtocol,
        handlers: {
          ...results.handlers,
          ready: () =>
            Promise.resolve({
              locale: pseudoLocale,
              run: 'run 0',
              origin,
              isLost: true,
              title: 'parts.fleet.sql',
            }),
          begin: () => (begun = true),
          runAgain: () => undefined,
          showSource: () => undefined,
        },
      });
      suite.view = view;
      await waitUntil(() => begun);
      await suite.check('lost', [...data, 'parts.fleet.sql']);
      results.notify = (status) => view.notify('resultChanged', status);
      view.notify('resultShown', { run: 'run 1', shown: { result: results.result, origin } });
      results.notifyStatus();
      await view.page.getByRole('gridcell', { name: 'reading 0', exact: true }).waitFor();
      await suite.check('rows', [...data, 'parts.fleet.sql']);
    });
  });

  describe('in captured data', () => {
    const data = [
      ...['Data Norrvik', 'images pointClouds files jpg pcd csv', 'rover main camera', 'mast'],
      ...['image jpeg pointcloud', 'data.readings.celsius note reading', 'Readings sensor', AWAY],
      ...['Acme', 'org', 'The service does not answer.', 'cartons pallets dented pallet'],
    ];
    let host: FakeDataHost;
    let page: DataPage;

    beforeEach(() => {
      host = new FakeDataHost();
      host.start = { locale: pseudoLocale };
    });

    async function open(): Promise<void> {
      page = await DataPage.open(suite.browser, { host, files: await bundleApp('data') });
      suite.view = page.webview;
    }

    it('with images, and one that is open', async () => {
      await open();
      await page.page.locator('#item-0:visible[aria-busy=false]').click();
      await suite.check('selected', data);
      await page.page.keyboard.press('Enter');
      await page.page.locator('.detail').waitFor();
      await suite.check('opened', data);
    });

    it('with point clouds and files', async () => {
      host.counts = { images: 0, pointClouds: 3, files: 3, readings: 0 };
      await open();
      for (const tab of ['pointClouds', 'files'] as const) {
        await page.tab(tab).click();
        await page.page.locator('#item-0:visible').waitFor();
        await suite.check(tab, data);
        await page.page.locator('#item-0:visible').dblclick();
        await page.page.locator('.detail').waitFor();
        await suite.check(`${tab}, opened`, data);
      }
    });

    it('with readings', async () => {
      host.start = { locale: pseudoLocale, tab: 'readings' };
      host.counts.readings = 300;
      host.readings.count = 300;
      await open();
      await page.page.locator('.kind-number').first().waitFor();
      await suite.check('readings', data);
      for (const name of ['Columns…', 'Chart', 'Latest Values']) {
        await suite.click(name);
        await suite.check(name, data);
        await page.page.keyboard.press('Escape');
      }
    });

    it('with a filter form', async () => {
      host.filter = {
        ...host.filter,
        tagsMode: 'untagged',
        interval: { kind: 'last', minutes: 1_440 },
      };
      await open();
      await suite.click('Filter');
      await page.page.locator('.filter-form').waitFor();
      await suite.check('filter', data);
    });

    it('with predictions', async () => {
      const { canvas } = hallScene(new Random('hall'), new Date(NOON), 320, 240);
      const picture = new Uint8Array(encodeImage(canvas, 'jpeg'));
      const content = () => Promise.resolve({ bytes: picture.slice().buffer });
      const predictions = [{ label: 'dented', confidence: 0.9 }];
      const task = 'singleLabelClassification';
      const tryModel = () =>
        Promise.resolve({ model: 'cartons', minConfidence: 0.3, task, predictions } as const);
      host.answers = { thumbnail: content, content, tryModel };
      await open();
      await page.page.locator('#item-0:visible[aria-busy=false]').click();
      await page.page.keyboard.press('Enter');
      await page.page.locator('.image-stage:not(.empty)').waitFor();
      await page.webview.waitUntilIdle();
      await suite.check('image', data);
      await page.page.keyboard.press('m');
      await page.page.locator('.trial:visible').getByText('dented').waitFor();
      await suite.check('predictions', data);
    });

    it('with proposals', async () => {
      const box = { xMin: 0.1, yMin: 0.1, xMax: 0.9, yMax: 0.9 };
      const proposals = [{ id: 0, label: 'pallet', confidence: 0.9, box }];
      await open();
      await page.page.locator('#item-0:visible').waitFor();
      page.webview.notify('proposed', {
        run: 'run 1',
        model: 'pallets',
        task: 'objectDetection',
        images: [{ id: 'images-0', name: 'images-0.jpg', sizeBytes: 1_000, proposals }],
      });
      await page.page.locator('.review-label').first().waitFor();
      await suite.check('proposals', data);
    });

    it('without data, and when counting fails', async () => {
      host.counts = { images: 0, pointClouds: 0, files: undefined, readings: 0 };
      await open();
      for (const tab of ['images', 'pointClouds', 'files', 'readings'] as const) {
        await page.tab(tab).click();
        await suite.check(tab, data);
      }
      host.apply({ ...host.filter, tags: ['mast'] });
      await page.tab('images').click();
      await suite.check('filtered', data);
    });
  });
});
