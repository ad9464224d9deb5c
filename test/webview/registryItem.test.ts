import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { completeItem, FakeItemHost, ItemPage } from './support/itemPage';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

describe('the page of a registry item in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeItemHost;
  let opened: ItemPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('registryItem')]);
  });

  beforeEach(() => {
    host = new FakeItemHost();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
    assert.deepEqual(host.requests, []);
  });

  async function open(options: { theme?: ThemeKind; state?: unknown } = {}): Promise<void> {
    opened = await ItemPage.open(browser, { host, files, ...options });
  }

  const shown = (): Promise<void> => opened.page.locator('h1').waitFor();
  const focused = (): Promise<string> =>
    opened.page.evaluate(
      () =>
        document.activeElement?.closest('[data-focus]')?.getAttribute('data-focus') ??
        document.activeElement?.textContent ??
        '',
    );

  /** Presses Tab until the control with a given key has the focus. */
  async function tabTo(key: string): Promise<void> {
    for (let steps = 0; steps < 60; steps += 1) {
      if ((await focused()) === key) return;
      await opened.page.keyboard.press('Tab');
    }
    assert.fail(`Tab never reached ${key}`);
  }

  it('shows what the item is, and formats its description', async () => {
    host.files = [{ version: '1.11.0', files: [{ platform: 'linux/amd64', size: '1.2 MB' }] }];
    await open();
    await opened.page.getByText('1.2 MB').waitFor();
    assert.deepEqual(await opened.headings(), [
      'h1 arm',
      'h2 Description',
      'h3 Arm',
      'h4 Usage',
      'h2 Models (2)',
      'h3 acme:arm:six',
      'h3 acme:arm:grip',
      'h2 Versions (12)',
    ]);
    assert.equal(await opened.text.locator('strong').innerText(), 'arms');
    await opened.page.getByText('3 machines of 2 organizations').waitFor();
    const newest = opened.page.locator('.versions tbody').first();
    assert.match(
      await newest.innerText(),
      /1\.11\.0\s+Apr 20, 2026\s+linux\/amd64\s+1\.2 MB\s+Deploy…\s*Download…\s+linux\/arm64/,
    );
  });

  it('shows the metrics of the selected version of a model, and its files', async () => {
    host.item = { ...completeItem, models: undefined, hasMetrics: true };
    host.metrics = {
      version: '1.11.0',
      facts: [{ name: 'Accuracy', value: '97.5%', isCode: false }],
      tables: [
        {
          caption: 'By label',
          head: ['Label', 'Tested on'],
          rows: [
            ['good', '12'],
            ['<b>bad</b>', '8'],
          ],
        },
      ],
      files: [{ name: 'model.onnx', size: '1.2 MB' }],
    };
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText('97.5%').waitFor();
    await metrics.getByRole('rowheader', { name: '<b>bad</b>' }).waitFor();
    await metrics.getByText('model.onnx (1.2 MB)').waitFor();
    assert.deepEqual(await findAxeViolations(opened.page), []);
    await metrics.getByLabel('Version').selectOption('1.9.0');
    await waitUntil(() => host.getSent('loadMetrics').length === 2);
    assert.deepEqual(host.getSent('loadMetrics'), [{ version: undefined }, { version: '1.9.0' }]);
    host.metrics = new FleetError('unavailable', 'The service is away.');
    await metrics.getByLabel('Version').selectOption('1.8.0');
    await metrics.getByText("Couldn't load the metrics. The service is away.").waitFor();
  });

  it('shows the metrics of the version that it was opened for, and links to the newest', async () => {
    host.item = { ...completeItem, models: undefined, hasMetrics: true };
    host.version = '1.3.0';
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText('This version has no metrics.').waitFor();
    assert.deepEqual(host.getSent('loadMetrics'), [{ version: '1.3.0' }]);
    assert.equal(await metrics.getByLabel('Version').inputValue(), '1.3.0');
    await metrics.getByText('The latest version is 1.11.0.').waitFor();
    assert.ok(await metrics.getByRole('heading', { name: 'Metrics' }).isVisible());
    assert.deepEqual(await findAxeViolations(opened.page), []);
    await metrics.getByRole('button', { name: 'Show Newest' }).press('Enter');
    await waitUntil(() => host.getSent('loadMetrics').length === 2);
    assert.deepEqual(host.getSent('loadMetrics').at(-1), { version: undefined });
    await opened.page.waitForFunction(() => document.activeElement?.localName === 'select');
    assert.equal(await metrics.getByText('The latest version is').count(), 0);
  });

  it('stays at the selected version when the item changes, and restores it', async () => {
    host.item = { ...completeItem, models: undefined, hasMetrics: true };
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText('This version has no metrics.').waitFor();
    opened.webview.notify('chosen', { version: '1.9.0' });
    await metrics.getByText('The latest version is 1.11.0.').waitFor();
    const versions = [{ version: '2.0.0', files: [] }, ...completeItem.versions];
    host.item = { ...host.item, versions };
    opened.webview.notify('changed', undefined);
    await metrics.getByText('The latest version is 2.0.0.').waitFor();
    assert.equal(await metrics.getByLabel('Version').inputValue(), '1.9.0');
    const state = await opened.webview.state();
    await opened.close();
    opened = await ItemPage.open(browser, { host, files, state });
    await opened.page.getByText('The latest version is 2.0.0.').waitFor();
    assert.deepEqual(host.getSent('loadMetrics').at(-1), { version: '1.9.0' });
  });

  it('requests the metrics of a new version after the item contains it', async () => {
    host.item = { ...completeItem, models: undefined, hasMetrics: true };
    host.metrics = { version: '1.11.0', facts: [], tables: [], files: [] };
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText('Version').first().waitFor();
    const requestCount = host.getSent('loadMetrics').length;
    const versions = [{ version: '2.0.0', files: [] }, ...completeItem.versions];
    host.item = { ...host.item, versions };
    opened.webview.notify('chosen', { version: '2.0.0' });
    await waitUntil(() => host.getSent('loadMetrics').length > requestCount);
    await waitUntil(async () => (await metrics.getByLabel('Version').inputValue()) === '2.0.0');
    await opened.webview.waitUntilIdle();
    const order = host.sent.map(([name]) => name);
    assert.ok(order.lastIndexOf('loadMetrics') > order.lastIndexOf('load'));
    assert.equal(host.getSent('loadMetrics').length, requestCount + 1);
    opened.webview.notify('chosen', { version: '0.5.0' });
    await waitUntil(() => host.getSent('loadMetrics').length > requestCount + 1);
    assert.deepEqual(host.getSent('loadMetrics').at(-1), { version: '0.5.0' });
  });

  it('names the version of the metrics even if there is no other', async () => {
    const versions = completeItem.versions.slice(0, 1);
    host.item = { ...completeItem, models: undefined, hasMetrics: true, versions };
    host.version = '0.5.0';
    host.metrics = new FleetError('notFound', 'The version 0.5.0 no longer exists.');
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText('The version 0.5.0 no longer exists.').waitFor();
    assert.equal(await metrics.getByLabel('Version').inputValue(), '0.5.0');
    host.metrics = { version: '1.11.0', facts: [], tables: [], files: [] };
    await metrics.getByRole('button', { name: 'Show Newest' }).click();
    await metrics.getByText('Version 1.11.0').waitFor();
    assert.equal(await focused(), 'metrics version');
  });

  it('lists the files of a model even if its metrics cannot be loaded, and retries', async () => {
    host.item = { ...completeItem, models: undefined, hasMetrics: true };
    const files = [{ name: 'model.onnx', size: '1.2 MB' }];
    host.metrics = { version: '1', facts: [], tables: [], files, problem: 'The link is too old.' };
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText("Couldn't load the metrics. The link is too old.").waitFor();
    await metrics.getByText('model.onnx (1.2 MB)').waitFor();
    opened.webview.notify('changed', undefined);
    await waitUntil(() => host.getSent('loadMetrics').length === 2);
  });

  it('offers to upload the first version of an item without versions', async () => {
    host.item = { ...completeItem, versions: [], canDeploy: false, canUpload: true };
    await open();
    await opened.button('Upload Version…').click();
    await waitUntil(() => host.getSent('upload').length === 1);
    host.item = { ...host.item, canUpload: false };
    opened.webview.notify('changed', undefined);
    await opened.button('Upload Version…').waitFor({ state: 'detached' });
  });

  it('offers to start the local fleet if necessary', async () => {
    const action = 'startLocalFleet';
    host.failure = new FleetError('unavailable', 'The local fleet is not running.', { action });
    await open();
    await opened.page.getByText('The local fleet is not running.').waitFor();
    await opened.button('Start Local Fleet').click();
    await waitUntil(() => host.getSent('startLocalFleet').length === 1);
  });

  it('loads the metrics of a version once even if the item is reloaded', async () => {
    host.item = { ...completeItem, models: undefined, hasMetrics: true };
    await open();
    const metrics = opened.page.getByRole('region', { name: 'Metrics' }).first();
    await metrics.getByText('This version has no metrics.').waitFor();
    for (const loads of [2, 3]) {
      opened.webview.notify('changed', undefined);
      await waitUntil(() => host.getSent('load').length === loads);
    }
    await opened.page.waitForFunction(
      () => document.querySelector('#app')?.getAttribute('aria-busy') === 'false',
    );
    assert.equal(host.getSent('loadMetrics').length, 1);
  });

  it('shows archives that only the packages of an item contain', async () => {
    host.item = {
      ...completeItem,
      models: undefined,
      canDeploy: false,
      versions: [{ version: '7', files: [] }],
    };
    host.files = [{ version: '7', files: [{ platform: 'any', size: '3 kB' }] }];
    await open();
    await opened.page.getByText('3 kB').waitFor();
    assert.match(await opened.page.locator('.versions tbody').innerText(), /any\s+3 kB/);
    assert.equal(await opened.button('Deploy to Machine…').count(), 0);
    assert.equal(await opened.page.getByText('Models').count(), 0);
  });

  it('omits sizes that cannot be loaded', async () => {
    host.filesFailure = new FleetError('permission', 'This needs the permission read_packages.');
    await open();
    await opened.page.getByText('This needs the permission read_packages.').waitFor();
    assert.equal(await opened.page.getByRole('alert').count(), 0);
    assert.deepEqual(await opened.page.getByRole('columnheader').allInnerTexts(), [
      ...['Version', 'Created', 'Platform', 'Actions'],
    ]);
  });

  it('runs actions with the keyboard', async () => {
    await open();
    await shown();
    for (const key of ['deploy', 'copy id', 'open url']) {
      await tabTo(key);
      await opened.page.keyboard.press('Enter');
    }
    await tabTo('deploy 1.11.0');
    await opened.page.keyboard.press('Enter');
    await tabTo('download 1.11.0');
    await opened.page.keyboard.press('Enter');
    await waitUntil(() => host.getSent('download').length === 1);
    assert.deepEqual(
      host.sent.filter(([name]) => name !== 'load'),
      [
        ['deploy', {}],
        ['copyId', undefined],
        ['openUrl', undefined],
        ['deploy', { version: '1.11.0' }],
        ['download', { version: '1.11.0' }],
      ],
    );
    await opened.page.getByText('Copied the ID.').waitFor({ state: 'attached' });
  });

  it('links to its sections with the keyboard', async () => {
    await open();
    await shown();
    await tabTo('section Versions (12)');
    await opened.page.keyboard.press('Enter');
    assert.equal(await focused(), 'Versions (12)');
    assert.ok((await opened.page.evaluate(() => scrollY)) > 0);
  });

  it('shows the newest versions, and others on request', async () => {
    await open();
    await shown();
    const versions = opened.page.locator('.versions tbody');
    assert.equal(await versions.count(), 10);
    await tabTo('more versions');
    await opened.page.keyboard.press('Enter');
    assert.equal(await versions.count(), 12);
    assert.equal(await focused(), 'deploy 1.1.0');
    assert.equal(await opened.button('Show 2 More').count(), 0);
  });

  it('expands the description of a model, and restores it expanded', async () => {
    await open();
    await shown();
    await tabTo('model acme:arm:six');
    await opened.page.keyboard.press('Enter');
    await opened.page.locator('.model table').waitFor();
    assert.ok((await opened.headings()).includes('h4 Six'));
    await opened.page.waitForFunction(() =>
      JSON.stringify((window as { savedState?: unknown }).savedState).includes('acme:arm:six'),
    );
    const state = await opened.webview.state();
    assert.deepEqual(state, { panel: 'panel 1', unfolded: ['acme:arm:six'], scrolled: 0 });
    await opened.close();
    await open({ state });
    await opened.page.locator('.model table').waitFor();
  });

  it('reports missing content', async () => {
    host.item = {
      id: 'acme:new',
      name: 'new',
      owner: 'Acme',
      badges: [],
      description: '',
      facts: [],
      models: [],
      versions: [],
      canDeploy: false,
      canUpload: false,
      hasMetrics: false,
    };
    await open();
    await opened.page.getByText("The owner hasn't added a description.").waitFor();
    await opened.page.getByText("This item doesn't list any models.").waitFor();
    await opened.page.getByText('No versions have been uploaded yet.').waitFor();
    assert.equal(await opened.button('Open Website').count(), 0);
  });

  it('warns about deprecated items in text', async () => {
    const [first] = completeItem.versions;
    assert.ok(first);
    host.item = {
      ...completeItem,
      deprecated: 'Use acme:arm2.',
      versions: [{ ...first, deprecated: 'It breaks.' }],
    };
    await open();
    const note = opened.page.getByRole('note');
    assert.equal(await note.innerText(), 'Deprecated by its owner: Use acme:arm2.');
    assert.equal(await opened.page.getByText('deprecated', { exact: true }).count(), 2);
  });

  it('reloads when the item changes, and preserves the reading position', async () => {
    await open();
    await shown();
    await tabTo('download 1.11.0');
    await opened.page.evaluate(() => scrollTo({ top: 120 }));
    host.item = { ...completeItem, name: 'arm two' };
    opened.webview.notify('changed', undefined);
    await opened.page.getByRole('heading', { name: 'arm two' }).waitFor();
    assert.equal(await focused(), 'download 1.11.0');
    assert.deepEqual(host.getSent('load'), [{ fresh: false }, { fresh: false }]);
    await opened.button('Refresh').click();
    await waitUntil(() => host.getSent('load').length === 3);
    assert.deepEqual(host.getSent('load')[2], { fresh: true });
  });

  it('marks an outdated item while it reloads, and preserves focus, scroll position, and rows', async () => {
    let answer = (): void => undefined;
    await open();
    await shown();
    await opened.button('Show 2 More').click();
    await tabTo('download 1.1.0');
    const before = await opened.page.evaluate(() => scrollY);
    assert.ok(before > 0);
    host.oldSince = Date.UTC(2026, 3, 20, 8, 5);
    host.freshAnswers = new Promise((resolve) => (answer = resolve));
    opened.webview.notify('changed', undefined);
    const badge = opened.page.getByText(/^As of \d+:05/);
    await badge.waitFor();
    assert.match(
      (await badge.getAttribute('title')) ?? '',
      /^Loaded on .*2026.*might have changed since then\.$/,
    );
    assert.deepEqual(await findAxeViolations(opened.page), []);
    const versions = [{ version: '2.0.0', files: [] }, ...completeItem.versions];
    host.item = { ...completeItem, versions };
    answer();
    await opened.page.getByRole('heading', { name: 'Versions (13)' }).waitFor();
    assert.equal(await badge.count(), 0);
    assert.equal(await focused(), 'download 1.1.0');
    assert.ok((await opened.page.evaluate(() => scrollY)) >= before);
    assert.deepEqual(host.getSent('load').slice(-2), [{ fresh: false }, { fresh: true }]);
  });

  it('renders nothing again when the reloaded item is the same', async () => {
    await open();
    await shown();
    await opened.page.evaluate(() => document.querySelector('h1')?.setAttribute('data-mark', ''));
    host.oldSince = Date.UTC(2026, 3, 20, 8, 5);
    opened.webview.notify('changed', undefined);
    await waitUntil(() => host.getSent('load').length === 3);
    await opened.page.waitForFunction(
      () => document.querySelector('#app')?.getAttribute('aria-busy') === 'false',
    );
    assert.equal(await opened.page.locator('h1[data-mark]').count(), 1);
    assert.equal(await opened.page.getByText(/^As of/).isVisible(), false);
  });

  it('reports the focus to its host', async () => {
    await open();
    await shown();
    const { focuses } = host;
    await opened.page.evaluate(() => dispatchEvent(new FocusEvent('focus')));
    await waitUntil(() => host.focuses > focuses);
  });

  it('preserves its content while the service is unavailable', async () => {
    await open();
    await shown();
    host.failure = new FleetError('unavailable', 'Cannot reach fleet.example.com.');
    await opened.button('Refresh').click();
    const alert = opened.page.getByRole('alert');
    assert.match(
      await alert.innerText(),
      /Couldn't read the registry item[^]*Cannot reach fleet\.example\.com\./,
    );
    assert.equal(await opened.page.locator('h1').innerText(), 'arm');
    await opened.page.getByText(/^As of/).waitFor();
    host.failure = undefined;
    await opened.button('Retry').click();
    await alert.waitFor({ state: 'detached' });
  });

  it('shows nothing of a deleted item, or while signed out', async () => {
    await open();
    await shown();
    host.failure = new FleetError('notFound', 'There is no registry item acme:arm any more.');
    opened.webview.notify('changed', undefined);
    await opened.page.getByText('There is no registry item acme:arm any more.').waitFor();
    assert.equal(await opened.page.locator('h1').count(), 0);
    host.failure = new FleetError('unauthenticated', 'You are signed out.', { action: 'signIn' });
    opened.webview.notify('changed', undefined);
    await opened.button('Sign In').click();
    await waitUntil(() => host.getSent('signIn').length === 1);
    assert.equal(await opened.button('Retry').count(), 0);
    host.failure = undefined;
    opened.webview.notify('changed', undefined);
    await shown();
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      host.item = { ...completeItem, deprecated: 'Use another.' };
      host.files = [{ version: '1.11.0', files: [{ platform: 'linux/amd64', size: '1.2 MB' }] }];
      await open({ theme, state: { panel: 'panel 1', unfolded: ['acme:arm:six'], scrolled: 0 } });
      await opened.page.getByText('1.2 MB').waitFor();
      await opened.page.locator('.model table').waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
      host.failure = new FleetError('unavailable', 'Cannot reach fleet.example.com.');
      await opened.button('Refresh').click();
      await opened.page.getByRole('alert').waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
