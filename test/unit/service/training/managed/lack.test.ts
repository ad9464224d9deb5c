import assert from 'node:assert/strict';
import { TRAINING_MINIMUM } from '../../../../../src/core/data/datasets/datasetReadiness';
import { selectExamples } from '../../../../../src/service/training/process/dataset/examples';
import { lackOf, LEAST } from '../../../../../src/service/training/process/dataset/lack';
import type { TrainingTask } from '../../../../../src/core/model/trainingTask';

const tagged = (count: number, ...labels: string[]) =>
  Array.from({ length: count }, (_, at) => ({ file: `${labels.join()}${at}`, labels, boxes: [] }));
const boxed = (count: number, label: string) =>
  tagged(count).map((image) => ({
    ...image,
    boxes: [{ label, xMin: 0.1, yMin: 0.1, xMax: 0.4, yMax: 0.4 }],
  }));

describe('what a dataset lacks for a training', () => {
  const lack = (
    images: Parameters<typeof selectExamples>[0],
    task: TrainingTask,
    labels: string[],
  ): string | undefined => lackOf(selectExamples(images, task, labels).examples, task, labels);

  it('is not more than the editor asks for', () => {
    const { images, labelled, perLabel } = TRAINING_MINIMUM;
    assert.deepEqual(LEAST, { images: (images * labelled) / 100, perLabel });
  });

  it('is nothing when there is enough', () => {
    const both = [...tagged(10, 'cat'), ...tagged(10, 'dog')];
    assert.equal(lack(both, 'singleLabelClassification', ['cat', 'dog']), undefined);
    assert.equal(lack(both, 'multiLabelClassification', ['cat']), undefined);
    const boxes = [...boxed(12, 'cat'), ...tagged(3)];
    assert.equal(lack(boxes, 'objectDetection', ['cat']), undefined);
  });

  it('says how many images a label wants', () => {
    const images = [...tagged(12, 'cat'), ...tagged(3, 'dog')];
    assert.equal(
      lack(images, 'singleLabelClassification', ['cat', 'dog', 'cow']),
      'Only 3 images have the label “dog”; training needs at least 10. Add 7 more, or train without it. ' +
        'No image has the label “cow”: tag at least 10, or train without it.',
    );
  });

  it('says that one label alone is nothing to tell apart', () => {
    const images = tagged(20, 'cat');
    assert.match(lack(images, 'singleLabelClassification', ['cat']) ?? '', /Add a second label/);
    assert.match(lack(images, 'multiLabelClassification', ['cat']) ?? '', /Every image has/);
  });

  it('says that images without labels and without boxes teach nothing', () => {
    assert.match(lack(tagged(20), 'singleLabelClassification', ['a', 'b']) ?? '', /^No image of/);
    assert.match(lack(tagged(20, 'cat'), 'objectDetection', ['cat']) ?? '', /has a box/);
    assert.match(lack([], 'objectDetection', []) ?? '', /^No labels were given/);
  });

  it('says how many images with boxes are wanting', () => {
    const images = tagged(5).map((image) => ({
      ...image,
      boxes: [...boxed(2, 'cat')].flatMap(({ boxes }) => boxes),
    }));
    assert.equal(
      lack(images, 'objectDetection', ['cat']),
      'Only 5 images have boxes; training needs at least 12. Add boxes to 7 more.',
    );
  });

  it('passes over images that teach nothing, and says why', () => {
    const images = [...tagged(1, 'a', 'b'), ...tagged(2, 'c'), ...tagged(3), ...tagged(4, 'a')];
    const { examples, passedOver } = selectExamples(images, 'singleLabelClassification', [
      'a',
      'b',
    ]);
    assert.equal(examples.length, 4);
    assert.deepEqual([...passedOver].sort(), [
      ['with several of the labels', 1],
      ['without a label of the training', 5],
    ]);
  });
});
