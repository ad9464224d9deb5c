import './support/englishVscode';
import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { historyProtocol } from '../../src/shared/history';
import { toPseudoText as t } from '../support/pseudoTexts';
import { findBareEnglish } from '../support/visibleWords';
import { FakeLogHost, gapRow, liveParts } from './support/fakeLogHost';
import { completeItem, FakeItemHost, ItemPage } from './support/itemPage';
import { LogPage } from './support/logPage';
import { pseudoLocale, pseudoSuite } from './support/pseudoSuite';
import {
  FakeTrainingHost,
  logLines,
  pageJob,
  someJobs,
  someProgress,
  TrainingPage,
} from './support/trainingPage';
import { usePseudoTexts } from './support/vscodeTexts';
import { bundleApp, WebviewPage } from './support/webviewPage';

const NOON = Date.UTC(2026, 10, 21, 12);
const AWAY = 'The service is away.';
const failure = new FleetError('unavailable', AWAY);

describe('a pseudo-translated panel shows no bare English string', function () {
  this.timeout(120_000);
  const suite = pseudoSuite();

  it('except in English, where all strings are found', async () => {
    usePseudoTexts(false);
    const host = new FakeItemHost();
    const page = await ItemPage.open(suite.browser, {
      host,
      files: await bundleApp('registryItem'),
    });
    suite.view = page.webview;
    await page.page.locator('.versions').waitFor();
    usePseudoTexts(true);
    const found = await findBareEnglish(page.page, [JSON.stringify(completeItem)]);
    for (const text of ['Copy ID', 'Versions', 'Deploy…']) {
      assert.ok(found.includes(text), `${text} in ${found.join(' | ')}`);
    }
  });

  describe('in the history', () => {
    const data = ['Bolts', 'Acme rover', 'ada@acme.test', 'rpm gear', AWAY];
    const row = (key: string, madeOn: number | undefined, summary: string) => ({
      key,
      madeOn,
      editor: key === 'c' ? 'ada@acme.test' : '',
      summary,
      details: [summary, 'gear'],
      current: key === 'c',
      available: key !== 'a',
      previousKey: key === 'a' ? undefined : 'a',
    });
    const rows = [row('c', NOON, 'rpm'), row('b', NOON - 1_000, 'rpm'), row('a', undefined, '')];

    for (const [state, load] of Object.entries({
      'without versions': () => ({ title: 'Bolts', path: 'Acme › rover', rows: [] }),
      'with versions': () => ({ title: 'Bolts', path: 'Acme › rover', rows }),
      'that failed to load': () => Promise.reject(failure),
    })) {
      it(state, async () => {
        const snapshot = async () => ({ ...(await load()), hasMore: true });
        const ignore = () => undefined;
        const view = await WebviewPage.open(suite.browser, {
          app: 'history',
          files: await bundleApp('history'),
          protocol: historyProtocol,
          handlers: {
            ready: () => Promise.resolve({ locale: pseudoLocale, document: 'd' }),
            load: snapshot,
            loadMore: snapshot,
            compare: ignore,
            compareWithCurrent: ignore,
            restore: ignore,
            signIn: ignore,
            startLocalFleet: ignore,
          },
        });
        suite.view = view;
        await view.page.locator('tbody tr, [role=alert], .empty').first().waitFor();
        await suite.check(state, data);
      });
    }
  });

  describe('in logs', () => {
    const data = [
      ...['rover arm', 'rdk motor NOTICE', 'line of many <b></b> in full', 'payload rpm name'],
      ...[
        'img src onerror alert',
        'Lost for',
        'Live',
        'Unterminated group',
        'The key was deleted.',
      ],
      ...['error warn debug info', 'Aa', AWAY],
    ];
    let host: FakeLogHost;
    let logs: LogPage;

    async function open(parts = liveParts): Promise<void> {
      logs = await LogPage.open(suite.browser, { host, files: await bundleApp('logs') });
      suite.view = logs.webview;
      logs.webview.notify('partsChanged', { parts, panel: 'panel 1' });
      host.notifyChange();
      await logs.waitUntilIdle();
    }

    beforeEach(() => {
      host = new FakeLogHost();
      host.locale = pseudoLocale;
      host.end = 500;
    });

    it('with lines, details, and a menu', async () => {
      host.hasOlder = true;
      Object.assign(host, { dropped: 1_234, missed: 1 });
      host.rows.set(499, gapRow('Lost for 12 s.'));
      await open();
      await suite.check('lines', data);
      await logs.list.focus();
      for (const key of ['End', 'ArrowUp', 'Enter']) await logs.page.keyboard.press(key);
      await logs.page.locator('.details').first().waitFor();
      await suite.check('details', data);
      await suite.click('More');
      await logs.page.locator('.menu-item').first().waitFor();
      await suite.check('menu', data);
      await logs.page.keyboard.press('Escape');
      await suite.click('Jump to Time…');
      await suite.check('jump', data);
      await suite.click('Go');
      await suite.check('jump without a time', data);
    });

    it('with problems, and while it is paused', async () => {
      await open();
      host.problem = 'Unterminated group';
      await logs.page.getByRole('textbox').first().fill('(');
      await logs.page.getByRole('alert').filter({ hasText: 'Unterminated' }).waitFor();
      logs.webview.notify('partsChanged', {
        parts: [
          { key: 'a', label: 'rover', state: 'retrying', detail: '', retryAt: NOON * 2 },
          {
            key: 'b',
            label: 'arm',
            state: 'stopped',
            detail: 'The key was deleted.',
            recovery: 'signIn',
          },
          { key: 'c', label: 'arm', state: 'silent', detail: '' },
        ],
        panel: 'panel 1',
      });
      await logs.page.locator('.notices .notice').first().waitFor();
      host.failure = failure;
      host.paused = true;
      host.waiting = 12;
      host.notifyChange();
      await logs.waitUntilIdle();
      await suite.check('problems', data);
    });

    it('without lines', async () => {
      host.end = 0;
      await open();
      for (const state of ['live', 'connecting', 'stopped'] as const) {
        const parts = liveParts.map((part) => ({ ...part, state }));
        logs.webview.notify('partsChanged', { parts, panel: 'panel 1' });
        await suite.check(state, data);
      }
      logs.webview.notify('partsChanged', { parts: [], panel: 'panel 1' });
      await suite.check('no parts', data);
    });
  });

  describe('on the page of a registry item', () => {
    const { text, models, badges } = completeItem;
    const data = [
      ...['Acme acme arm', 'https://acme.test/arm', 'Moves arms.', text?.markdown ?? ''],
      ...['ID Used By machines of organizations', JSON.stringify(models), badges.join(' ')],
      ...['linux amd', AWAY, 'Accuracy apple weights.tflite sha'],
    ];
    let host: FakeItemHost;

    beforeEach(() => {
      host = new FakeItemHost();
      host.locale = pseudoLocale;
    });

    async function open(): Promise<void> {
      const page = await ItemPage.open(suite.browser, {
        host,
        files: await bundleApp('registryItem'),
      });
      suite.view = page.webview;
    }

    it('of a module', async () => {
      host.files = [{ version: '1.11.0', files: [{ platform: 'linux/amd64', size: '1.2 MB' }] }];
      await open();
      await suite.view.page.locator('.versions').waitFor();
      await suite.check('module', data);
    });

    it('of a model', async () => {
      host.item = { ...completeItem, models: undefined, hasMetrics: true };
      host.metrics = {
        version: '1.11.0',
        facts: [{ name: 'Accuracy', value: '0.9', isCode: false }],
        tables: [],
        files: [{ name: 'weights.tflite', size: '1 MB' }],
        problem: AWAY,
      };
      await open();
      await suite.view.page.getByText('weights.tflite').waitFor();
      await suite.check('model', data);
    });

    it('without versions', async () => {
      host.item = { ...completeItem, versions: [], models: [], text: undefined, description: '' };
      host.item = { ...host.item, canUpload: true };
      await open();
      await suite.view.page.locator('h1').waitFor();
      await suite.check('empty', data);
    });

    it('that failed to load', async () => {
      host.failure = failure;
      await open();
      await suite.view.page.getByRole('alert').getByText(AWAY).waitFor();
      await suite.check('failed', data);
    });
  });

  describe('in training jobs', () => {
    const data = [
      ...someJobs.flatMap(({ model, status, training, dataset }) => [
        ...[model, status, training, dataset],
      ]),
      ...['Acme', 'Job ID', 'Line', 'loss val accuracy', 'Accuracy Epochs apple pear', AWAY],
    ];
    let host: FakeTrainingHost;
    let training: TrainingPage;

    beforeEach(() => {
      host = new FakeTrainingHost();
      host.locale = pseudoLocale;
    });

    async function open(state?: unknown): Promise<void> {
      const files = await bundleApp('training');
      training = await TrainingPage.open(suite.browser, { host, files, state });
      suite.view = training.webview;
    }

    it('in each state', async () => {
      host.lines = logLines(3);
      host.progress = someProgress;
      host.metrics = {
        numbers: [{ key: 'accuracy', name: 'Accuracy', value: 0.9, isShare: true }],
        labels: [
          { label: 'apple', heldOut: 12, precision: 1, recall: 0.75 },
          { label: 'pear', heldOut: 8 },
        ],
        confusion: [
          [9, 3],
          [0, 8],
        ],
      };
      host.details.set('j3', { error: AWAY });
      await open();
      for (const { id } of someJobs) {
        await training.page.locator(`#job-${id}`).click();
        await suite.check(id, data);
      }
    });

    it('that are compared', async () => {
      const jobs = ['j1', 'j2'].map((id) => pageJob({ id }));
      host.jobs = { organization: 'Acme', jobs };
      host.curvesByJob.set('j1', someProgress);
      const compared = ['j1', 'j2'];
      await open({
        panel: 'panel 1',
        filter: { text: '', states: [] },
        selected: 'j1',
        compared,
      });
      await training.rows.first().waitFor();
      await suite.check('added', data);
      await training.button(t('Compare {0} Jobs').replace('{0}', '2')).click();
      await training.page.locator('.comparison').waitFor();
      await suite.check('compared', data);
    });

    it('that do not match a filter, and without any', async () => {
      await open();
      await training.page.locator('.filter-input').fill('nothing');
      await training.rows.first().waitFor({ state: 'detached' });
      await suite.check('filtered', data);
      await suite.view.close();
      host.jobs = { organization: 'Acme', jobs: [] };
      await open();
      await suite.check('empty', data);
    });

    it('that failed to load', async () => {
      host.failure = failure;
      await open();
      await training.page.getByRole('alert').getByText(AWAY).waitFor();
      await suite.check('failed', data);
    });
  });
});
