import assert from 'node:assert/strict';
import { readMetrics } from '../../../../src/core/training/modelMetrics';

describe('metrics of a model', () => {
  it("of the service's own training are parsed completely", () => {
    const metrics = readMetrics(
      JSON.stringify({
        task: 'classification',
        images: { training: 80, heldOut: 20 },
        heldOut: {
          accuracy: 0.95,
          labels: [
            { label: 'good', heldOut: 12, precision: 1, recall: 0.9 },
            { label: 'bad', heldOut: 8 },
          ],
          confusion: [
            [11, 1],
            [0, 8],
          ],
        },
        epochs: 12,
      }),
    );
    assert.deepEqual(metrics?.numbers, [
      { name: 'accuracy', value: 0.95 },
      { name: 'epochs', value: 12 },
    ]);
    assert.deepEqual([metrics.trainingImages, metrics.heldOutImages], [80, 20]);
    assert.deepEqual(
      metrics.labels.map(({ label, precision }) => [label, precision]),
      [
        ['good', 1],
        ['bad', undefined],
      ],
    );
    assert.equal(metrics.confusion[0]?.[1], 1);
  });

  it('of other trainings are the numbers that they name', () => {
    const metrics = readMetrics('{"accuracy":0.5,"note":"x","loss":1e999,"f1":0.25}');
    assert.deepEqual(metrics?.numbers, [
      { name: 'accuracy', value: 0.5 },
      { name: 'f1', value: 0.25 },
    ]);
    assert.deepEqual(metrics.labels, []);
  });

  it('are undefined without an object with a number', () => {
    for (const text of ['', 'null', '[1]', '{}', '{"a":"b"}', '{"heldOut":{"labels":[1]}}']) {
      assert.equal(readMetrics(text), undefined, text);
    }
  });

  it('omit a table that does not match the labels', () => {
    const metrics = readMetrics(
      '{"heldOut":{"accuracy":1,"labels":[{"label":"a"}],"confusion":[[1,2]]}}',
    );
    assert.deepEqual(metrics?.confusion, []);
  });

  it('of 200 labels include the whole confusion matrix', () => {
    const labels = Array.from({ length: 200 }, (_, index) => ({ label: String(index) }));
    const confusion = labels.map((_, truth) =>
      labels.map((_unused, predicted) => truth + predicted),
    );
    const metrics = readMetrics(JSON.stringify({ heldOut: { labels, confusion } }));
    assert.equal(metrics?.confusion.length, 200);
    assert.equal(metrics.confusion[199]?.[199], 398);
  });
});
