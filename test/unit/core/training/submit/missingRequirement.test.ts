import assert from 'node:assert/strict';
import type {
  DatasetReadiness,
  LabelCount,
  LabelSet,
} from '../../../../../src/core/data/datasets/datasetReadiness';
import type { TrainingTask } from '../../../../../src/core/model/trainingJob';
import {
  learnableLabels,
  severalLabels,
  findMissingRequirements,
} from '../../../../../src/core/training/submit/missingRequirement';

const SINGLE = 'singleLabelClassification';

function count(label: string, count: number): LabelCount {
  return { label, count, missing: Math.max(0, 10 - count) };
}

function readiness(
  tags: readonly LabelCount[],
  boxes: readonly LabelCount[] = [],
  sets: readonly LabelSet[] = [],
  labeled = 60,
): DatasetReadiness {
  const common = { labeled, unlabeled: [], isReady: false };
  return {
    items: 12,
    bytes: 0,
    images: 100,
    together: { sets, images: sets.reduce((sum, { images }) => sum + images, 0) },
    trainings: [
      { ...common, kind: 'detection', missingImages: 3, missingLabeled: 2, labels: boxes },
      { ...common, kind: 'classification', missingImages: 0, missingLabeled: 0, labels: tags },
    ],
  };
}

describe('the missing requirement of a dataset', () => {
  const tags = [count('good', 40), count('scratched', 12), count('dented', 3)];

  it('is undefined if the requested labels have enough examples', () => {
    const dataset = readiness(tags);
    const labels = learnableLabels(dataset, 'singleLabelClassification');
    assert.deepEqual(labels, ['good', 'scratched']);
    assert.deepEqual(findMissingRequirements(dataset, 'singleLabelClassification', labels), []);
  });

  it('names labels with too few examples, and those without images', () => {
    const missing = findMissingRequirements(readiness(tags), 'multiLabelClassification', [
      'dented',
      'gone',
    ]);
    assert.deepEqual(missing, [
      { kind: 'examples', labels: [count('dented', 3), count('gone', 0)] },
    ]);
  });

  it('explains that single-label classification needs more than one label', () => {
    const kinds = (task: Parameters<typeof findMissingRequirements>[1]): readonly string[] =>
      findMissingRequirements(readiness(tags), task, ['good']).map(({ kind }) => kind);
    assert.deepEqual(kinds('singleLabelClassification'), ['oneLabel']);
    assert.deepEqual(kinds('multiLabelClassification'), []);
  });

  it('explains that several labels cannot be distinguished if all labeled images have all of them', () => {
    const kinds = (counts: readonly LabelCount[], labeled: number) =>
      findMissingRequirements(
        readiness(counts, [], [], labeled),
        'multiLabelClassification',
        counts.map(({ label }) => label),
      ).map(({ kind }) => kind);
    assert.deepEqual(kinds([count('good', 40)], 40), ['nothingElse']);
    assert.deepEqual(kinds([count('good', 40), count('dry', 40)], 40), ['nothingElse']);
    assert.deepEqual(kinds([count('good', 40), count('dry', 39)], 40), []);
    assert.deepEqual(kinds([count('good', 40)], 41), []);
  });

  it('includes the number of images with several labels that single-label training cannot use', () => {
    const labels = ['good', 'scratched'];
    const missing = (set: readonly string[], images: number, task: TrainingTask = SINGLE) =>
      findMissingRequirements(readiness(tags, [], [{ labels: set, images }]), task, labels);
    const few = { kind: 'severalLabels', images: 3, isLeast: false };
    assert.deepEqual(missing(labels, 3), [{ ...few, labels: [count('scratched', 9)] }]);
    assert.deepEqual(missing([...labels, 'dented'], 3), [
      { ...few, labels: [count('scratched', 9)] },
    ]);
    assert.deepEqual(missing(['good', 'dented'], 12), [], 'only one of the labels');
    assert.deepEqual(missing(labels, 3, 'multiLabelClassification'), []);
    assert.deepEqual(missing(labels, 2), [], 'enough are left');
    const known = readiness(tags, [], [{ labels, images: 2 }]);
    assert.equal(severalLabels(known, SINGLE, labels)?.images, 2);
  });

  it('treats a fifth of images with several of the labels as too many', () => {
    const plenty = [count('good', 90), count('scratched', 90)];
    const labels = ['good', 'scratched'];
    const kinds = (images: number) =>
      findMissingRequirements(readiness(plenty, [], [{ labels, images }]), SINGLE, labels).length;
    assert.deepEqual([kinds(20), kinds(21)], [0, 1]);
  });

  it('counts boxes for detection, and images in total', () => {
    const dataset = readiness(tags, [count('pallet', 4)]);
    assert.deepEqual(learnableLabels(dataset, 'objectDetection'), ['pallet']);
    assert.deepEqual(
      findMissingRequirements(dataset, 'objectDetection', ['pallet']).map(({ kind }) => kind),
      ['images', 'labeled', 'examples'],
    );
  });
});
