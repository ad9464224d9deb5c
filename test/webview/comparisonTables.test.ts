import assert from 'node:assert/strict';
import type { JobMetrics } from '../../src/shared/training';
import {
  compareLabels,
  compareNumbers,
  createMetricFormatter,
  pinBaseline,
  toggleJob,
} from '../../webview/training/comparisonTables';
import { getConfusions } from '../../webview/training/confusions';

const german = createMetricFormatter('de-DE');

function metrics(change: Partial<JobMetrics>): JobMetrics {
  return { numbers: [], labels: [], confusion: [], ...change };
}

describe('compareNumbers', () => {
  it('puts the numbers of jobs next to each other in the language of the page, including missing ones', () => {
    const accuracy = { key: 'accuracy', name: 'Accuracy', value: 0.9, isShare: true };
    const loss = { key: 'loss', name: 'loss', value: 0.25, isShare: false };
    const jobs = [
      { name: 'a 1', metrics: metrics({ numbers: [accuracy] }) },
      { name: 'a 2', metrics: metrics({ numbers: [{ ...accuracy, value: 0.885 }, loss] }) },
      { name: 'a 3', metrics: metrics({}) },
    ];
    const { head, rows } = compareNumbers(jobs, german);
    assert.deepEqual(head, ['Metric', 'a 1 (baseline)', 'a 2', 'a 3']);
    assert.deepEqual(
      rows.map((row) => row.map((cell) => cell.replaceAll('\u00a0', ' '))),
      [
        ['Accuracy', '90 %', '88,5 % (-1,5 points)', '–'],
        ['loss', '–', '0,25', '–'],
      ],
    );
  });
});

describe('compareLabels', () => {
  it('has a row for every label that any job has', () => {
    const jobs = [
      { name: 'a', metrics: metrics({ labels: [{ label: 'cup', precision: 0.5, recall: 1 }] }) },
      { name: 'b', metrics: metrics({ labels: [{ label: 'jug', precision: 1, recall: 1 }] }) },
    ];
    assert.deepEqual(compareLabels(jobs, createMetricFormatter('en-US')).rows, [
      ['cup', '50%', '–', '100%', '–'],
      ['jug', '–', '100%', '–', '100%'],
    ]);
  });
});

describe('toggleJob and pinBaseline', () => {
  it('add, remove, and reorder jobs, up to six', () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f'];
    assert.deepEqual(toggleJob(['a'], 'b'), ['a', 'b']);
    assert.deepEqual(toggleJob(['a', 'b'], 'a'), ['b']);
    assert.equal(toggleJob(six, 'g'), six);
    assert.deepEqual(toggleJob(six, 'c'), ['a', 'b', 'd', 'e', 'f']);
    assert.deepEqual(pinBaseline(['a', 'b', 'c'], 'c'), ['c', 'a', 'b']);
    assert.deepEqual(pinBaseline(['a'], 'x'), ['a']);
  });
});

describe('getConfusions', () => {
  it('lists wrong predictions, the most frequent first', () => {
    const matrix = [
      [5, 1, 0],
      [3, 9, 1],
      [0, 0, 2],
    ];
    assert.deepEqual(getConfusions(matrix), [
      { truth: 1, predicted: 0, count: 3 },
      { truth: 0, predicted: 1, count: 1 },
      { truth: 1, predicted: 2, count: 1 },
    ]);
  });
});
