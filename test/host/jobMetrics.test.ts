import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { datasetId, organizationId, registryItemId, trainingJobId } from '../../src/core/model/ids';
import type { PackageFileInfo } from '../../src/core/model/registryPackage';
import type { TrainingJob } from '../../src/core/model/trainingJob';
import { readJobMetrics } from '../../src/host/features/training/panel/trainingPanel';
import type { JobMetrics } from '../../src/shared/training';
import { rawArchive } from '../support/archives';

const job: TrainingJob = {
  id: trainingJobId('j'),
  organizationId: organizationId('o'),
  datasetId: datasetId('d'),
  modelName: 'cups',
  modelVersion: '1.0.0',
  task: 'objectDetection',
  framework: 'onnx',
  script: { itemId: registryItemId('o:s'), version: '1' },
  status: 'completed',
  error: undefined,
  modifiedAt: undefined,
  createdAt: undefined,
  startedAt: undefined,
  endedAt: undefined,
  modelPackageId: 'o/cups',
  labels: [],
  arguments: {},
  container: '',
};

/** Reads the metrics of a job whose model has this `metrics.json`. */
async function readMetrics(content: string): Promise<JobMetrics> {
  const bytes = rawArchive([{ path: 'metrics.json', content }]);
  const files = [{ name: 'metrics.json', size: content.length, isDirectory: false }];
  const info: PackageFileInfo = {
    organizationId: organizationId('o'),
    name: 'cups',
    version: '1.0.0',
    type: 'mlModel',
    platform: 'any',
    url: 'https://x/',
    checksum: '',
    createdOn: undefined,
    metadata: {},
    files,
    sizeBytes: content.length,
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  return readJobMetrics(
    {
      package: () => Promise.resolve(info),
      content: () =>
        Promise.resolve({ chunks: chunks(), start: 0, size: bytes.length, version: undefined }),
    },
    job,
    AbortSignal.timeout(60_000),
  );
}

describe('readJobMetrics', () => {
  it('reads named numbers, labels as harmless text, and the whole matrix', async () => {
    const { numbers, labels, confusion, problem } = await readMetrics(
      JSON.stringify({
        images: { training: 80, heldOut: 20 },
        heldOut: {
          accuracy: 0.95,
          labels: [
            { label: 'a\u202eb', heldOut: 12, precision: 1 },
            { label: 'c', heldOut: 8 },
          ],
          confusion: [
            [11, 1],
            [0, 8],
          ],
        },
        bestEpoch: 7,
      }),
    );
    assert.equal(problem, undefined);
    assert.deepEqual(
      numbers.map(({ name, value, isShare }) => [name, value, isShare]),
      [
        ['Accuracy', 0.95, true],
        ['Best epoch', 7, false],
        ['Images used for training', 80, false],
        ['Images used for testing', 20, false],
      ],
    );
    assert.equal(labels[0]?.label.includes('\u202e'), false);
    assert.deepEqual(confusion[0], [11, 1]);
  });

  it('reads the confusion matrix of 200 labels with long names', async () => {
    const labels = Array.from({ length: 200 }, (_, index) => ({
      label: `${'name '.repeat(40)}${String(index)}`,
    }));
    const matrix = labels.map((_, truth) => labels.map((_unused, predicted) => truth + predicted));
    const metrics = { heldOut: { labels, confusion: matrix } };
    const { confusion, problem } = await readMetrics(JSON.stringify(metrics, null, 2));
    assert.deepEqual([problem, confusion.length, confusion[199]?.[199]], [undefined, 200, 398]);
  });

  it('reports why the model cannot be read, and that it has no metrics', async () => {
    const { signal } = new AbortController();
    const failing = {
      package: () => Promise.reject(new FleetError('notFound', 'There is no such version.')),
      content: () => Promise.reject(new FleetError('internal', 'not called')),
    };
    assert.equal((await readJobMetrics(failing, job, signal)).problem, 'There is no such version.');
    assert.deepEqual(await readMetrics('[]'), { numbers: [], labels: [], confusion: [] });
  });
});
