import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { JobLabelMetrics, JobMetrics } from '../../src/shared/training';
import { findAxeViolations } from './support/axe';
import { themeKinds } from './support/themes';
import { type FakeTrainingHost, pageJob, type TrainingPage } from './support/trainingPage';
import { trainingSuite } from './support/trainingSuite';

const fruit: JobMetrics = {
  numbers: [
    { key: 'accuracy', name: 'Accuracy', value: 0.925, isShare: true },
    { key: 'epochs', name: 'Epochs', value: 34, isShare: false },
  ],
  labels: [
    { label: 'apple', heldOut: 12, precision: 1, recall: 0.75 },
    { label: 'pear', heldOut: 8 },
  ],
  confusion: [
    [9, 3],
    [0, 8],
  ],
};

/**
 * Returns metrics with the maximum number of labels of a training job; the labels have the maximum
 * length.
 */
function manyLabels(): JobMetrics {
  const labels = Array.from({ length: 200 }, (_, index): JobLabelMetrics => ({
    label: `${'a very long name '.repeat(12)}${String(index)}`,
    heldOut: 3,
    precision: 0.5,
    recall: 1 / 3,
  }));
  const confusion = labels.map((_, truth) =>
    labels.map((_unused, predicted) =>
      predicted === truth ? 1 : predicted === (truth + 1) % 200 ? 2 : 0,
    ),
  );
  return { numbers: [], labels, confusion };
}

describe('MetricsView', function () {
  this.timeout(120_000);
  const panel = trainingSuite();
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  beforeEach(() => {
    ({ host } = panel);
    host.jobs = { organization: 'Acme', jobs: [pageJob({ id: 'done' })] };
  });

  const section = (): Locator => opened.page.getByRole('region', { name: 'Metrics', exact: true });
  const table = (name: RegExp): Locator => section().getByRole('table', { name });
  const readRows = async (name: RegExp): Promise<string[]> => {
    await table(name).waitFor();
    const texts = await table(name).getByRole('row').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  };

  it('shows numbers, each label, and the confusion matrix of a completed job', async () => {
    host.metrics = fruit;
    opened = await panel.open();
    assert.deepEqual(await readRows(/by label/), [
      'Label Tested on Precision Recall',
      'apple 12 100% 75%',
      'pear 8 – –',
    ]);
    assert.deepEqual(await readRows(/Confusion matrix/), [
      'True label apple pear',
      'apple 9 3',
      'pear 0 8',
    ]);
    assert.match(await section().innerText(), /Accuracy\s+92\.5%\s+Epochs\s+34/);
    assert.equal(
      await table(/Confusion matrix/)
        .getByRole('rowheader')
        .count(),
      2,
    );
    assert.equal(
      await table(/Confusion matrix/)
        .getByRole('columnheader')
        .count(),
      3,
    );
  });

  it('lists the confusions of 200 long labels instead of the matrix, and scrolls with the keyboard', async () => {
    host.metrics = manyLabels();
    opened = await panel.open();
    assert.equal((await readRows(/by label/)).length, 201);
    const confusions = await readRows(/Most frequent confusions/);
    assert.equal(confusions.length, 101);
    assert.match(confusions[1] ?? '', /name 0 a very .* name 1 2$/);
    assert.equal(await table(/Confusion matrix/).count(), 0);
    await section()
      .getByText('A confusion matrix with 200 labels is too large to display.')
      .waitFor();
    const view = opened.page.locator('.job-view:not(.comparison)');
    assert.ok(await view.evaluate((one) => one.scrollWidth <= one.clientWidth));
    await section()
      .getByRole('group', { name: /by label/ })
      .focus();
    await opened.page.keyboard.press('End');
    await opened.page.waitForFunction(
      () => (document.querySelector('.metrics .table-scroller')?.scrollTop ?? 0) > 0,
    );
    assert.deepEqual(await findAxeViolations(opened.page), []);
  });

  it('reports why metrics could not be loaded, and that a model has none', async () => {
    host.metrics = { ...host.metrics, problem: 'The version is too large.' };
    opened = await panel.open();
    await section()
      .getByText("Couldn't load the metrics of this model. The version is too large.")
      .waitFor();
    await opened.close();
    host.metrics = { numbers: [], labels: [], confusion: [] };
    opened = await panel.open();
    await section().getByText('This model has no metrics.json.').waitFor();
  });

  it('shows no metrics for a job without a model', async () => {
    host.jobs = { organization: 'Acme', jobs: [pageJob({ id: 'no', state: 'failed' })] };
    opened = await panel.open();
    await opened.page.getByText('Job ID').waitFor();
    assert.equal(await section().count(), 0);
  });

  for (const theme of themeKinds) {
    it(`has no accessibility violations in the theme ${theme}`, async () => {
      host.metrics = fruit;
      opened = await panel.open({ theme });
      await table(/Confusion matrix/).waitFor();
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
