import assert from 'node:assert/strict';
import {
  computeMultiLabelMetrics,
  computeSingleLabelMetrics,
} from '../../../../../src/service/training/process/trainClassifier';
import { computeDetectionMetrics } from '../../../../../src/service/training/process/trainDetector';

const box = (xMin: number, label = 0) => ({
  class: label,
  xMin,
  yMin: 0,
  xMax: xMin + 0.2,
  yMax: 0.2,
});

describe('metrics of a model', () => {
  it('count the correct answers with one label per image', () => {
    const answers = [
      { truth: [0], predicted: [0] },
      { truth: [0], predicted: [1] },
      { truth: [1], predicted: [1] },
      { truth: [1], predicted: [1] },
    ];
    const metrics = computeSingleLabelMetrics(answers, ['a', 'b', 'c']);
    assert.equal(metrics.accuracy, 0.75);
    assert.deepEqual(metrics.confusion, [
      [1, 1, 0],
      [0, 2, 0],
      [0, 0, 0],
    ]);
    assert.deepEqual(metrics.labels, [
      { label: 'a', heldOut: 2, precision: 1, recall: 0.5 },
      { label: 'b', heldOut: 2, precision: 2 / 3, recall: 1 },
      { label: 'c', heldOut: 0 },
    ]);
  });

  it('count every answer with several labels per image', () => {
    const answers = [
      { truth: [0, 1], predicted: [0] },
      { truth: [], predicted: [] },
    ];
    const { accuracy, exactMatch } = computeMultiLabelMetrics(answers, ['a', 'b']);
    assert.deepEqual([accuracy, exactMatch], [0.75, 0.5]);
  });

  it('count boxes without a match as no overlap', () => {
    const detections = [
      { truth: [box(0), box(0.5)], found: [{ ...box(0), score: 0.9 }] },
      { truth: [box(0, 1)], found: [{ ...box(0, 0), score: 0.8 }] },
    ];
    const { meanIou, recall, precision, labels } = computeDetectionMetrics(detections, ['a', 'b']);
    assert.deepEqual([meanIou, recall, precision], [1 / 3, 1 / 3, 0.5]);
    assert.deepEqual(labels[1], { label: 'b', heldOut: 1, meanIou: 0, recall: 0 });
  });

  it('match each predicted box with at most one true box', () => {
    const found = [
      { ...box(0.02), score: 0.9 },
      { ...box(0), score: 0.5 },
    ];
    const { heldOut, recall, precision } = computeDetectionMetrics(
      [{ truth: [box(0)], found }],
      ['a'],
    );
    assert.deepEqual([heldOut, recall, precision], [1, 1, 0.5]);
  });
});
