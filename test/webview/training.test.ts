import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { type ThemeKind, themeKinds } from './support/themes';
import {
  type FakeTrainingHost,
  logLines,
  pageJob,
  someJobs,
  someProgress,
  type TrainingPage,
} from './support/trainingPage';
import { trainingSuite } from './support/trainingSuite';

describe('the training panel in a browser', function () {
  this.timeout(120_000);
  const panel = trainingSuite();
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  beforeEach(() => {
    ({ host } = panel);
  });

  async function open(options: { theme?: ThemeKind; state?: unknown } = {}): Promise<void> {
    opened = await panel.open(options);
  }

  const titled = (name: string): Promise<void> =>
    opened.page.getByRole('heading', { level: 2, name }).waitFor();
  const focused = (): Promise<string> =>
    opened.page.evaluate(
      () =>
        document.activeElement?.closest('[data-focus]')?.getAttribute('data-focus') ??
        document.activeElement?.localName ??
        '',
    );

  it('lists jobs with their states as text, and shows the newest', async () => {
    await open();
    await titled('fruit 1.4.0');
    assert.equal(
      await opened.page.getByRole('heading', { level: 1 }).innerText(),
      'Training: Acme',
    );
    await opened.rows.nth(6).waitFor();
    const texts = await opened.rows.allInnerTexts();
    assert.match(texts[5] ?? '', /fruit\s+1\.0\.0\s+Completed/);
    assert.match(texts[5] ?? '', /Fruit of May · Script acme:trainer 2\.0\.0\s+Apr 20, /);
    assert.match(texts[5] ?? '', /2 min 5 sec/);
    assert.match(texts[6] ?? '', /Status 17/);
    await opened.page.getByText('7 of 7 jobs').waitFor();
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('select'), [{ job: 'j6' }]);
  });

  it('supports keyboard navigation between jobs', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.list.focus();
    await opened.page.keyboard.press('ArrowDown');
    await titled('fruit 1.3.0');
    await opened.page.locator('[aria-activedescendant="job-j5"]').waitFor();
    await opened.page.keyboard.press('End');
    await titled('fruit 0.1.0');
    await opened.page.keyboard.press('Home');
    await titled('fruit 1.4.0');
    await opened.page.keyboard.press('Enter');
    assert.equal(await focused(), 'job');
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('select').at(-1), { job: 'j6' });
  });

  it('filters by words and by states, and reports when nothing matches', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.page.keyboard.press('Control+f');
    assert.equal(await focused(), 'filter');
    await opened.page.keyboard.type('walls cracks');
    await opened.page.getByText('1 of 7 jobs').waitFor();
    await opened.page.keyboard.press('Escape');
    await opened.page.getByText('7 of 7 jobs').waitFor();
    await opened.button('Canceled (1)').click();
    await opened.page.getByText('1 of 7 jobs').waitFor();
    await opened.page.keyboard.press('Control+f');
    await opened.page.keyboard.type('walls');
    await opened.page.getByText('No jobs match the filter.').waitFor();
    await opened.button('Clear Filter').click();
    await opened.page.getByText('7 of 7 jobs').waitFor();
  });

  it('combines typed text with a state that is selected immediately after', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('.filter-input');
      if (!input) return;
      input.value = 'cracks';
      input.dispatchEvent(new Event('input'));
      document.querySelector<HTMLElement>('[data-focus="state failed"]')?.click();
    });
    assert.equal(await opened.page.locator('.filter-input').inputValue(), 'cracks');
    await opened.page.getByText('1 of 7 jobs').waitFor();
  });

  it('shows the focus in the list even if the filter hides the selected job', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.button('Failed (1)').press('Enter');
    await opened.page.getByText('1 of 7 jobs').waitFor();
    await opened.list.focus();
    const isOutlined = (style: string): Promise<unknown> =>
      opened.page.waitForFunction((expected) => {
        const list = document.querySelector('.jobs');
        return list && getComputedStyle(list).outlineStyle === expected;
      }, style);
    await isOutlined('solid');
    await opened.page.keyboard.press('ArrowDown');
    await titled('cracks 1.0.0');
    await isOutlined('none');
  });

  it('restores the filter and the selected job', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.button('Failed (1)').click();
    // Rows are drawn in the next frame.
    await waitUntil(async () => (await opened.rows.count()) === 1);
    await opened.rows.first().click();
    await titled('cracks 1.0.0');
    const state = await opened.webview.state();
    assert.deepEqual(state, {
      panel: 'panel 1',
      filter: { text: '', states: ['failed'] },
      selected: 'j3',
      compared: [],
    });
    await opened.close();
    await open({ state });
    await titled('cracks 1.0.0');
    await opened.page.getByText('1 of 7 jobs').waitFor();
  });

  it('selects the job from the host instead of the saved one, even if the filter hides it', async () => {
    const filter = { text: '', states: ['failed'] };
    host.selected = 'j1';
    await open({ state: { panel: 'panel 1', filter, selected: 'j3' } });
    await titled('fruit 1.0.0');
    await opened.page.getByText('7 of 7 jobs').waitFor();
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('select'), [{ job: 'j1' }]);
  });

  it('offers and runs the actions of a job', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.button('Cancel Training Job').click();
    assert.equal(await opened.button('Delete…').count(), 0);
    await opened.rows.nth(5).click();
    await titled('fruit 1.0.0');
    const names = ['Deploy to Machine…', 'View Model', 'Submit Again…', 'Show Dataset', 'Copy ID'];
    for (const name of [...names, 'Delete…']) await opened.button(name).click();
    assert.equal(await opened.button('Cancel Training Job').count(), 0);
    await opened.button('Train Model…').click();
    await waitUntil(() => host.getSent('submit').length === 1);
    const job = { job: 'j1' };
    assert.deepEqual(
      host.sent.filter(([name]) => !['load', 'select'].includes(name)),
      [
        ['cancel', { job: 'j6' }],
        ...['deploy', 'showModel', 'submitAgain', 'showDataset', 'copyId', 'delete'].map((name) => [
          name,
          job,
        ]),
        ['submit', undefined],
      ],
    );
    await opened.page.getByText('Copied the ID.').waitFor({ state: 'attached' });
  });

  it('does not link to a deleted dataset', async () => {
    host.details.set('j1', { hasDataset: false });
    host.selected = 'j1';
    await open();
    await titled('fruit 1.0.0');
    await opened.button('Submit Again…').waitFor();
    assert.equal(await opened.button('Show Dataset').count(), 0);
  });

  it('shows completely why a job failed', async () => {
    host.details.set('j3', { error: 'The label "crack" has 3 images.\nAdd 7 more.' });
    host.selected = 'j3';
    await open();
    const error = opened.page.getByRole('region', { name: 'Failure reason' });
    assert.equal(
      await error.locator('pre').innerText(),
      'The label "crack" has 3 images.\nAdd 7 more.',
    );
  });

  it('shows the progress of a job as a chart and in numbers', async () => {
    host.selected = 'j5';
    host.lines = logLines(3);
    host.progress = someProgress;
    await open();
    const bar = opened.page.getByRole('progressbar');
    await opened.page.getByText('Epoch 3 of 40').waitFor();
    assert.equal(await bar.getAttribute('aria-valuetext'), 'Epoch 3 of 40');
    const losses = opened.page.getByRole('region', { name: 'Loss by epoch' });
    assert.match(await losses.getByRole('table').innerText(), /A\s+loss\s+3\s+0\.4\s+0\.9/);
    await losses.getByRole('group').focus();
    await opened.page.keyboard.press('End');
    assert.equal(
      await losses.locator('.chart-cursor').innerText(),
      'Epoch 3 · A loss: 0.4 · B val_loss: 0.5',
    );
    assert.equal(await losses.locator('canvas').count(), 1);
    host.progress = { ...someProgress, epoch: 4 };
    host.lines.push(...logLines(1));
    opened.webview.notify('logChanged', { job: 'j5' });
    await opened.page.getByText('Epoch 4 of 40').waitFor();
  });

  it('shows a job without progress only as running', async () => {
    host.selected = 'j5';
    host.lines = logLines(3);
    host.progress = someProgress;
    await open();
    await opened.page.getByText('Epoch 3 of 40').waitFor();
    host.progress = { losses: [], qualities: [] };
    await opened.rows.nth(2).click();
    await titled('fruit 1.2.0');
    const bar = opened.page.getByRole('progressbar');
    assert.equal(await bar.getAttribute('aria-valuenow'), null);
    assert.equal(await bar.locator('.progress-filled').getAttribute('style'), '');
  });

  it('follows a long log to its end, and continues', async () => {
    host.selected = 'j5';
    host.lines = logLines(3_000);
    await open();
    await opened.page.getByText('Line 2999', { exact: true }).waitFor();
    assert.ok((await opened.page.getByRole('listitem').count()) < 80);
    host.lines.push({ level: 'error', message: 'Out of memory' });
    opened.webview.notify('logChanged', { job: 'j5' });
    await opened.page.getByText('Out of memory').waitFor();
    assert.match(
      await opened.page.getByRole('listitem').last().innerText(),
      /Error\s+Out of memory/,
    );
    await opened.button('Open as Text').click();
    await waitUntil(() => host.getSent('openLog').length === 1);
  });

  it('reports which lines of a log are not stored, and why there is none', async () => {
    host.selected = 'j1';
    host.lines = logLines(2);
    host.first = 12_000;
    host.locale = 'de-DE';
    await open();
    await opened.page.getByText('12.000 earlier lines are not shown.').waitFor();
    host.lines = [];
    host.first = 0;
    host.problem = "This service doesn't store training job logs.";
    await opened.rows.first().click();
    await opened.page.getByText(host.problem).waitFor();
    assert.equal(await opened.button('Open as Text').isVisible(), false);
  });

  it('reloads when jobs change, reports it, and preserves the focus', async () => {
    host.selected = 'j5';
    await open();
    await titled('fruit 1.3.0');
    await opened.button('Cancel Training Job').focus();
    const canceling = { state: 'canceling', status: 'Canceling' } as const;
    const jobs = someJobs.map((job) => (job.id === 'j5' ? { ...job, ...canceling } : job));
    host.jobs = { organization: 'Acme Robots', jobs };
    opened.webview.notify('changed', undefined);
    await opened.page.getByRole('heading', { name: 'Training: Acme Robots' }).waitFor();
    await opened.page.getByText('fruit 1.3.0: Canceling').waitFor({ state: 'attached' });
    await opened.page.waitForFunction(() => document.activeElement?.localName === 'h2');
    assert.equal(await opened.button('Cancel Training Job').count(), 0);
  });

  it('selects the job from the host, even if the filter hides it', async () => {
    await open();
    await titled('fruit 1.4.0');
    await opened.button('Failed (1)').click();
    await opened.page.getByText('1 of 7 jobs').waitFor();
    opened.webview.notify('selected', { job: 'j1' });
    await titled('fruit 1.0.0');
    await opened.page.getByText('7 of 7 jobs').waitFor();
  });

  it('offers no changes of a read-only connection, and reports why', async () => {
    const readOnly = 'The connection "Acme" is read-only.';
    await open();
    await titled('fruit 1.4.0');
    await opened.button('Cancel Training Job').waitFor();
    host.jobs = { ...host.jobs, readOnly };
    for (const { id } of host.jobs.jobs) {
      host.details.set(id, { canCancel: false, canDelete: false, canSubmit: false });
    }
    opened.webview.notify('changed', undefined);
    await opened.page.getByText(readOnly).waitFor();
    await opened.button('Cancel Training Job').waitFor({ state: 'detached' });
    for (const name of ['Submit Again…', 'Train Model…']) {
      assert.equal(await opened.button(name).filter({ visible: true }).count(), 0, name);
    }
    await opened.button('Copy ID').waitFor();
  });

  it('hides the loading message after it has loaded or failed', async () => {
    const saysNoMore = (): Promise<void> =>
      opened.page.getByText('Loading training jobs…').waitFor({ state: 'detached' });
    await open();
    await titled('fruit 1.4.0');
    await saysNoMore();
    await opened.close();
    host.failure = new FleetError('unavailable', 'The service does not answer.');
    await open();
    await opened.page.getByText('The service does not answer.').waitFor();
    await saysNoMore();
    await opened.page.getByRole('heading', { level: 1, name: 'Training', exact: true }).waitFor();
  });

  it('explains what to do if nothing was trained yet', async () => {
    host.jobs = { organization: 'Acme', jobs: [] };
    await open();
    await opened.page.getByText('No trained models yet.').waitFor();
    await opened.page.locator('[data-focus="submit first"]').click();
    await waitUntil(() => host.getSent('submit').length === 1);
  });

  it('shows why jobs cannot be loaded, and removes jobs that are no longer permitted', async () => {
    await open();
    await titled('fruit 1.4.0');
    host.failure = new FleetError('unavailable', 'The service does not answer.');
    opened.webview.notify('changed', undefined);
    await opened.page.getByText('The service does not answer.').waitFor();
    assert.equal(await opened.rows.count(), 7);
    host.failure = new FleetError('unauthenticated', 'You are signed out.', { action: 'signIn' });
    opened.webview.notify('changed', undefined);
    await opened.page.getByText('You are signed out.').waitFor();
    await opened.list.waitFor({ state: 'hidden' });
    await opened.page.getByText('Sign In').click();
    await waitUntil(() => host.getSent('signIn').length === 1);
    host.failure = undefined;
    opened.webview.notify('changed', undefined);
    await opened.list.waitFor();
    assert.equal(await opened.page.getByRole('alert').isVisible(), false);
  });

  it('offers to start the local fleet if necessary', async () => {
    const action = 'startLocalFleet';
    host.failure = new FleetError('unavailable', 'The local fleet is not running.', { action });
    await open();
    await opened.page.getByText('The local fleet is not running.').waitFor();
    assert.equal(await opened.page.getByText('Retry').count(), 0);
    await opened.page.getByText('Start Local Fleet').click();
    await waitUntil(() => host.getSent('startLocalFleet').length === 1);
  });

  it('renders only the visible part of many jobs', async () => {
    const jobs = Array.from({ length: 5_000 }, (_, index) => pageJob({ id: `many-${index}` }));
    host.jobs = { organization: 'Acme', jobs };
    await open();
    await opened.page.getByText('5,000 of 5,000 jobs').waitFor();
    assert.ok((await opened.rows.count()) < 60);
    assert.equal(await opened.rows.first().getAttribute('aria-setsize'), '5000');
  });

  it('shows text of other users as text', async () => {
    const evil = '<img src=x onerror=alert(1)>{0}';
    host.jobs = {
      organization: evil,
      jobs: [pageJob({ id: 'a" b', model: evil, dataset: evil, training: evil, status: evil })],
    };
    host.details.set('a" b', { error: evil, facts: [{ name: evil, value: evil, isCode: true }] });
    host.lines = [{ level: 'warn', message: evil }];
    await open();
    await opened.page.getByRole('heading', { level: 2 }).waitFor();
    await opened.page.getByRole('listitem').waitFor();
    assert.equal(await opened.page.locator('img').count(), 0);
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      host.selected = 'j5';
      host.lines = [...logLines(4), { level: 'error', message: 'No' }];
      host.progress = someProgress;
      await open({ theme });
      await opened.page.getByText('Epoch 3 of 40').waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
      await opened.rows.nth(3).click();
      await titled('cracks 1.0.0');
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
