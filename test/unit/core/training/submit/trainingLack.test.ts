import assert from 'node:assert/strict';
import type {
  DatasetReadiness,
  LabelCount,
} from '../../../../../src/core/data/datasets/datasetReadiness';
import {
  learnableLabels,
  trainingLacks,
} from '../../../../../src/core/training/submit/trainingLack';

function count(label: string, count: number): LabelCount {
  return { label, count, missing: Math.max(0, 10 - count) };
}

function readiness(
  tags: readonly LabelCount[],
  boxes: readonly LabelCount[] = [],
): DatasetReadiness {
  const common = { labelled: 0, unlabelled: [], isReady: false };
  return {
    ...{ items: 12, bytes: 0, images: 12 },
    trainings: [
      { ...common, kind: 'detection', missingImages: 3, missingLabelled: 2, labels: boxes },
      { ...common, kind: 'classification', missingImages: 0, missingLabelled: 0, labels: tags },
    ],
  };
}

describe('what a dataset lacks for a training', () => {
  const tags = [count('good', 40), count('scratched', 12), count('dented', 3)];

  it('is nothing where the labels that are asked for have enough examples', () => {
    const dataset = readiness(tags);
    const labels = learnableLabels(dataset, 'singleLabelClassification');
    assert.deepEqual(labels, ['good', 'scratched']);
    assert.deepEqual(trainingLacks(dataset, 'singleLabelClassification', labels), []);
  });

  it('names labels with too few examples, and those that no image has any more', () => {
    const lacks = trainingLacks(readiness(tags), 'multiLabelClassification', ['dented', 'gone']);
    assert.deepEqual(lacks, [{ kind: 'examples', labels: [count('dented', 3), count('gone', 0)] }]);
  });

  it('says that one label is nothing to choose from, of a choice between labels alone', () => {
    const kinds = (task: Parameters<typeof trainingLacks>[1]): readonly string[] =>
      trainingLacks(readiness(tags), task, ['good']).map(({ kind }) => kind);
    assert.deepEqual(kinds('singleLabelClassification'), ['oneLabel']);
    assert.deepEqual(kinds('multiLabelClassification'), []);
  });

  it('counts boxes for detection, and images altogether', () => {
    const dataset = readiness(tags, [count('pallet', 4)]);
    assert.deepEqual(learnableLabels(dataset, 'objectDetection'), ['pallet']);
    assert.deepEqual(
      trainingLacks(dataset, 'objectDetection', ['pallet']).map(({ kind }) => kind),
      ['images', 'labelled', 'examples'],
    );
  });
});
