import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { JobMetrics, JobProgress } from '../../src/shared/training';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { themeKinds } from './support/themes';
import { type FakeTrainingHost, pageJob, type TrainingPage } from './support/trainingPage';
import { trainingSuite } from './support/trainingSuite';

function metrics(accuracy: number, recall: number, epochs: number): JobMetrics {
  return {
    numbers: [
      { key: 'accuracy', name: 'Accuracy', value: accuracy, isShare: true },
      { key: 'epochs', name: 'Epochs', value: epochs, isShare: false },
    ],
    labels: [{ label: 'apple', heldOut: 4, precision: 1, recall }],
    confusion: [],
  };
}

function curves(...losses: readonly number[]): JobProgress {
  const epochs = losses.map((_, index) => index + 1);
  return {
    losses: [
      { name: 'loss', epochs, values: losses.map((loss) => loss / 2) },
      { name: 'val_loss', epochs, values: losses },
    ],
    qualities: [],
  };
}

describe('ComparisonView', function () {
  this.timeout(120_000);
  const panel = trainingSuite();
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  beforeEach(() => {
    ({ host } = panel);
    const jobs = ['1.2.0', '1.1.0', '1.0.0'].map((version) => pageJob({ id: version, version }));
    host.jobs = { organization: 'Acme', jobs };
    host.metricsByJob.set('1.2.0', metrics(0.95, 0.75, 40));
    host.metricsByJob.set('1.1.0', metrics(0.9, 0.75, 60));
    host.metricsByJob.set('1.0.0', metrics(0.97, 1, 60));
    host.curvesByJob.set('1.2.0', curves(1, 0.5, 0.25));
    host.curvesByJob.set('1.1.0', curves(0.8, 0.4));
  });

  const region = (): Locator =>
    opened.page.getByRole('region', { name: 'Comparison', exact: true });
  const readRows = async (name: RegExp): Promise<string[]> => {
    const table = region().getByRole('table', { name });
    await table.waitFor();
    const texts = await table.getByRole('row').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  };
  const state = (compared: readonly string[]): object => ({
    panel: 'panel 1',
    filter: { text: '', states: [] },
    selected: '1.2.0',
    compared,
  });

  it('is opened with the keyboard, with differences to the baseline in text', async () => {
    opened = await panel.open();
    await opened.title.waitFor();
    await opened.list.focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.getByRole('heading', { level: 2, name: 'fruit 1.1.0' }).waitFor();
    assert.equal(await opened.button('Compare 1 Jobs').count(), 0);
    await opened.page.keyboard.press('Space');
    await opened.page
      .getByText('Added fruit 1.1.0 to the comparison.')
      .waitFor({ state: 'attached' });
    await opened.page.keyboard.press('ArrowUp');
    await opened.page.keyboard.press('Space');
    await opened.page
      .getByText('Added fruit 1.2.0 to the comparison.')
      .waitFor({ state: 'attached' });
    const marks = opened.list.getByText('Compared', { exact: true }).filter({ visible: true });
    // Rows are drawn in the next frame.
    await waitUntil(async () => (await marks.count()) === 2);
    await opened.button('Compare 2 Jobs').press('Enter');
    assert.deepEqual(await readRows(/^Metrics/), [
      'Metric fruit 1.1.0 (baseline) fruit 1.2.0',
      'Accuracy 90% 95% (+5 points)',
      'Epochs 60 40 (-20)',
    ]);
    assert.deepEqual(await readRows(/^Precision and recall/), [
      'Label fruit 1.1.0: precision fruit 1.2.0: precision fruit 1.1.0: recall fruit 1.2.0: recall',
      'apple 100% 100% (same) 75% 75% (same)',
    ]);
    assert.equal(
      await opened.page.evaluate(() => document.activeElement?.textContent),
      'Comparison',
    );
    await opened.page.keyboard.press('Escape');
    await opened.page.getByRole('heading', { level: 2, name: 'fruit 1.2.0' }).waitFor();
    assert.equal(await opened.list.evaluate((list) => list === document.activeElement), true);
  });

  it('overlays one curve of each job, which can be changed', async () => {
    opened = await panel.open({ state: state(['1.2.0', '1.1.0']) });
    await opened.button('Compare 2 Jobs').click();
    const chart = region().getByRole('region', { name: 'Curves by epoch' });
    await chart.getByRole('group').focus();
    await opened.page.keyboard.press('Home');
    const cursor = chart.locator('.chart-cursor');
    assert.equal(await cursor.innerText(), 'Epoch 1 · A fruit 1.2.0: 1 · B fruit 1.1.0: 0.8');
    await region().getByRole('combobox', { name: 'Curve' }).selectOption('loss');
    await chart.getByRole('group').focus();
    await opened.page.keyboard.press('Home');
    assert.equal(await cursor.innerText(), 'Epoch 1 · A fruit 1.2.0: 0.5 · B fruit 1.1.0: 0.4');
    assert.equal(await chart.locator('canvas').count(), 1);
  });

  it('updates the curves of a running job, but not of a completed one', async () => {
    const running = pageJob({ id: '1.1.0', version: '1.1.0', state: 'running', status: 'Running' });
    const { endedAt: _, ...notEnded } = running;
    const [job] = host.jobs.jobs;
    assert.ok(job);
    host.jobs = { organization: 'Acme', jobs: [job, notEnded] };
    opened = await panel.open({ state: state(['1.2.0', '1.1.0']) });
    await opened.button('Compare 2 Jobs').click();
    const chart = region().getByRole('region', { name: 'Curves by epoch' });
    await region().getByText('Accuracy').first().waitFor();
    await waitUntil(() => host.getSent('compare').length > 0);
    assert.deepEqual(host.getSent('compare').at(-1), { jobs: ['1.2.0', '1.1.0'] });
    const readValue = async (): Promise<string> => {
      await chart.getByRole('group').focus();
      await opened.page.keyboard.press('End');
      return chart.locator('.chart-cursor').innerText();
    };
    assert.match(await readValue(), /^Epoch 3 /);
    // Records whether the update shows a progress ring.
    await opened.page.evaluate(() => {
      new MutationObserver((records) => {
        const added = records.flatMap((record) => [...record.addedNodes]);
        if (added.some((node) => node.nodeName.includes('PROGRESS'))) document.title = 'flashed';
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (const [epoch, update] of [
      [4, () => opened.webview.notify('logChanged', { job: '1.1.0' })],
      [5, () => opened.button('Refresh').click()],
      [6, () => opened.webview.notify('changed', undefined)],
    ] as const) {
      host.curvesByJob.set('1.1.0', curves(...Array.from({ length: epoch }, () => 0.3)));
      await update();
      await waitUntil(async () => (await readValue()).startsWith(`Epoch ${epoch} `));
    }
    assert.notEqual(await opened.page.title(), 'flashed');
    const reads = host.getSent('readCurves').filter((read) => read && 'job' in Object(read));
    const completed = reads.filter((read) => Reflect.get(Object(read), 'job') === '1.2.0');
    assert.equal(completed.length, 1);
    await opened.button('Close Comparison').click();
    await waitUntil(() => JSON.stringify(host.getSent('compare').at(-1)) === '{"jobs":[]}');
  });

  it('compares with another baseline, which stays pinned, and preserves the focus', async () => {
    const compared = ['1.2.0', '1.1.0', '1.0.0'];
    opened = await panel.open({ state: state(compared) });
    await opened.button('Compare 3 Jobs').click();
    assert.equal((await readRows(/^Metrics/))[1], 'Accuracy 95% 90% (-5 points) 97% (+2 points)');
    await region().getByRole('listitem').nth(2).getByText('Pin as Baseline').press('Enter');
    await region().getByRole('columnheader', { name: 'fruit 1.0.0 (baseline)' }).waitFor();
    assert.equal((await readRows(/^Metrics/))[1], 'Accuracy 97% 95% (-2 points) 90% (-7 points)');
    assert.equal(
      await opened.page.evaluate(() => document.activeElement?.getAttribute('data-focus')),
      'pin 1.0.0',
    );
    assert.deepEqual(await opened.webview.state(), state(['1.0.0', '1.2.0', '1.1.0']));
  });

  it('closes when one job remains, and excludes deleted jobs', async () => {
    const compared = ['1.2.0', 'deleted', '1.1.0'];
    opened = await panel.open({ state: state(compared) });
    await opened.button('Compare 2 Jobs').click();
    await region().getByRole('listitem').nth(1).getByText('Remove from Comparison').press('Enter');
    await region().waitFor({ state: 'hidden' });
    await opened.page.getByRole('heading', { level: 2, name: 'fruit 1.2.0' }).waitFor();
    assert.equal(await opened.list.evaluate((list) => list === document.activeElement), true);
    await opened.button('Remove from Comparison').click();
    await opened.button('Add to Comparison').waitFor();
    assert.deepEqual(await opened.webview.state(), state([]));
  });

  it('allows at most six jobs, and distinguishes jobs of the same version', async () => {
    const jobs = Array.from({ length: 7 }, (_, index) =>
      pageJob({ id: `j${index}`, submittedAt: Date.UTC(2026, 3, 20 - index, 9) }),
    );
    host.jobs = { organization: 'Acme', jobs };
    const compared = jobs.slice(0, 6).map(({ id }) => id);
    opened = await panel.open({ state: state(compared) });
    await opened.rows.nth(6).click();
    await opened.list.press('Space');
    await opened.page
      .getByText('You can compare up to 6 jobs. Remove one to add another.')
      .waitFor({ state: 'attached' });
    await opened.button('Compare 6 Jobs').click();
    await region().getByText('None of these jobs has metrics to compare.').waitFor();
    const names = await region().locator('.compared-name').allInnerTexts();
    assert.equal(new Set(names).size, 6);
    assert.match(names[0] ?? '', /^fruit 1\.0\.0, Apr 20, 2026/);
  });

  it('names the job whose metrics or curves could not be loaded', async () => {
    host.metricsByJob.set('1.1.0', {
      numbers: [],
      labels: [],
      confusion: [],
      problem: 'The version is too large.',
    });
    opened = await panel.open({ state: state(['1.2.0', '1.1.0']) });
    await opened.button('Compare 2 Jobs').click();
    await region().getByText('fruit 1.1.0: The version is too large.').waitFor();
    assert.equal((await readRows(/^Metrics/))[1], 'Accuracy 95% –');
  });

  for (const theme of themeKinds) {
    it(`has no accessibility violations in the theme ${theme}`, async () => {
      const compared = ['1.2.0', '1.1.0', '1.0.0'];
      opened = await panel.open({ theme, state: state(compared) });
      await opened.button('Compare 3 Jobs').click();
      await readRows(/^Metrics/);
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
