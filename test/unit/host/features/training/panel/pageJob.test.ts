import assert from 'node:assert/strict';
import {
  datasetId,
  organizationId,
  registryItemId,
  trainingJobId,
} from '../../../../../../src/core/model/ids';
import type { TrainingJob } from '../../../../../../src/core/model/trainingJob';
import {
  jobDetail,
  type JobLabels,
  pageJobs,
  pageProgress,
} from '../../../../../../src/host/features/training/panel/pageJob';

const labels: JobLabels = {
  status: String,
  training: ({ task }) => task,
  facts: (_, dataset) => [
    { name: 'Dataset', value: dataset ?? '', isCode: false },
    { name: 'ID', value: 'j', isCode: true },
  ],
};

function job(change: Partial<TrainingJob> = {}): TrainingJob {
  return {
    id: trainingJobId('j'),
    organizationId: organizationId('o'),
    datasetId: datasetId('d'),
    modelName: 'cups',
    modelVersion: '1.0.0',
    task: 'objectDetection',
    framework: 'onnx',
    script: undefined,
    status: 'completed',
    error: undefined,
    modifiedAt: undefined,
    createdAt: new Date(1_000),
    startedAt: new Date(2_000),
    endedAt: new Date(3_000),
    modelPackageId: 'o/cups',
    labels: [],
    arguments: {},
    container: '',
    ...change,
  };
}

describe('training jobs in the panel', () => {
  it('have the names of their datasets, or the IDs of deleted ones', () => {
    const datasets = new Map([[datasetId('d'), 'Cups\nof May']]);
    const jobs = [job(), job({ datasetId: datasetId('x'), modelName: ' ' })];
    const page = pageJobs({ organization: 'Acme', jobs, datasets }, labels);
    assert.deepEqual(
      page.jobs.map(({ model, dataset }) => [model, dataset]),
      [
        ['cups', 'Cups�of May'],
        ['j', 'x'],
      ],
    );
    assert.deepEqual(page.jobs[0], {
      id: 'j',
      model: 'cups',
      version: '1.0.0',
      state: 'completed',
      status: 'completed',
      training: 'objectDetection',
      dataset: 'Cups�of May',
      submittedAt: 1_000,
      startedAt: 2_000,
      endedAt: 3_000,
    });
  });

  it('have a known state, or an unknown one', () => {
    const jobs = [job({ status: 'inProgress' }), job({ status: 17 })];
    const page = pageJobs({ organization: 'Acme', jobs, datasets: new Map() }, labels);
    assert.deepEqual(
      page.jobs.map(({ state, status }) => [state, status]),
      [
        ['running', 'inProgress'],
        ['other', '17'],
      ],
    );
  });

  it('offer the actions for their state', () => {
    const offers = (status: TrainingJob['status']): string => {
      const { canCancel, canDelete, hasModel } = jobDetail(job({ status }), 'Cups', labels);
      return [canCancel && 'cancel', canDelete && 'delete', hasModel && 'model']
        .filter((one) => one !== false)
        .join(' ');
    };
    assert.deepEqual(
      (['pending', 'inProgress', 'canceling', 'failed', 'canceled', 'completed', 17] as const).map(
        offers,
      ),
      ['cancel', 'cancel', '', 'delete', 'delete', 'delete model', 'delete'],
    );
  });

  it('offer all possible actions in an unknown state until they end', () => {
    const detail = jobDetail(job({ status: 17, endedAt: undefined }), 'Cups', labels);
    assert.deepEqual([detail.canCancel, detail.canDelete, detail.hasModel], [true, true, false]);
  });

  it('offer no changes over a read-only connection', () => {
    for (const status of ['pending', 'failed', 'completed'] as const) {
      const { canCancel, canDelete, canDeploy, canSubmit, hasModel } = jobDetail(
        job({ status }),
        'Cups',
        labels,
        true,
      );
      assert.deepEqual([canCancel, canDelete, canDeploy, canSubmit], Array(4).fill(false));
      assert.equal(hasModel, status === 'completed');
    }
    const read = { organization: 'Acme', jobs: [], datasets: new Map() };
    assert.equal(pageJobs(read, labels, 'The reason.').readOnly, 'The reason.');
    assert.equal('readOnly' in pageJobs(read, labels), false);
  });

  it('link to their datasets as long as these exist', () => {
    assert.equal(jobDetail(job(), 'Cups', labels).hasDataset, true);
    assert.equal(jobDetail(job(), undefined, labels).hasDataset, false);
  });

  it('show completely why they failed, and omit missing facts', () => {
    const script = { itemId: registryItemId('a:b'), version: '1' };
    const error = 'It broke.\r\nsee \u202eline 3';
    const detail = jobDetail(job({ status: 'failed', error, script }), undefined, labels);
    assert.equal(detail.error, 'It broke.\nsee �line 3');
    assert.deepEqual(detail.facts, [{ name: 'ID', value: 'j', isCode: true }]);
  });
});

describe('the metrics of a training', () => {
  it('are separated into decreasing values and ratios', () => {
    const points = [1, 2].map((epoch) => ({
      epoch,
      metrics: new Map([
        ['loss', 3 / epoch],
        ['val_loss', 4 / epoch],
        ['accuracy', epoch / 2],
        ['learning_rate', 0.001],
        ['images', 120],
        ...(epoch === 2 ? ([['val_iou', 0.6]] as const) : []),
      ]),
    }));
    const { epoch, epochs, losses, qualities } = pageProgress({ epoch: 2, epochs: 9, points });
    assert.deepEqual([epoch, epochs], [2, 9]);
    assert.deepEqual(losses, [
      { name: 'loss', epochs: [1, 2], values: [3, 1.5] },
      { name: 'val_loss', epochs: [1, 2], values: [4, 2] },
    ]);
    assert.deepEqual(qualities, [
      { name: 'accuracy', epochs: [1, 2], values: [0.5, 1] },
      { name: 'val_iou', epochs: [2], values: [0.6] },
    ]);
  });
});
