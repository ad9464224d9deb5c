import assert from 'node:assert/strict';
import { TRAINING_MINIMUM } from '../../../../../src/core/data/datasets/datasetReadiness';
import type { AnnotatedImage } from '../../../../../src/service/training/managed/annotatedImage';
import {
  describeMissingExamples,
  ExampleTally,
  MIN_EXAMPLES,
  seenFor,
} from '../../../../../src/service/training/managed/examples';
import type { TrainingTask } from '../../../../../src/core/model/trainingJob';

const tagged = (count: number, ...labels: string[]) =>
  Array.from({ length: count }, (_, at) => ({ file: `${labels.join()}${at}`, labels, boxes: [] }));
const boxed = (count: number, label: string) =>
  tagged(count).map((image) => ({
    ...image,
    boxes: [{ label, xMin: 0.1, yMin: 0.1, xMax: 0.4, yMax: 0.4 }],
  }));

function tallyExamples(images: readonly AnnotatedImage[], task: TrainingTask, labels: string[]) {
  const inspect = seenFor(task, labels);
  const tally = new ExampleTally(task, labels.length);
  for (const image of images) tally.add(inspect(image));
  return tally;
}

describe('the missing examples of a dataset', () => {
  const describeMissing = (
    images: readonly AnnotatedImage[],
    task: TrainingTask,
    labels: string[],
  ): string | undefined =>
    describeMissingExamples(tallyExamples(images, task, labels), task, labels);

  it('require no more than the editor', () => {
    const { images, labeled, perLabel } = TRAINING_MINIMUM;
    assert.deepEqual(MIN_EXAMPLES, { images: (images * labeled) / 100, perLabel });
  });

  it('are undefined if there are enough', () => {
    const both = [...tagged(10, 'cat'), ...tagged(10, 'dog')];
    assert.equal(describeMissing(both, 'singleLabelClassification', ['cat', 'dog']), undefined);
    assert.equal(describeMissing(both, 'multiLabelClassification', ['cat']), undefined);
    const boxes = [...boxed(12, 'cat'), ...tagged(3)];
    assert.equal(describeMissing(boxes, 'objectDetection', ['cat']), undefined);
  });

  it('include the number of images that a label needs', () => {
    const images = [...tagged(12, 'cat'), ...tagged(3, 'dog')];
    assert.equal(
      describeMissing(images, 'singleLabelClassification', ['cat', 'dog', 'cow']),
      'Only 3 images have the label "dog". Training needs at least 10. Add 7 more, or train without it. ' +
        'No images have the label "cow". Tag at least 10, or train without it.',
    );
  });

  it('name five of the labels that need images', () => {
    const formatMessage = (labels: number): string =>
      describeMissing(
        tagged(1, 'else'),
        'multiLabelClassification',
        Array.from({ length: labels }, (_, at) => `label ${at}`),
      ) ?? '';
    assert.match(formatMessage(5), /"label 4"\. Tag at least 10, or train without it\.$/);
    assert.match(formatMessage(6), /"label 4"\. .* it\. The same applies to 1 more label\.$/);
    assert.match(formatMessage(7), / The same applies to 2 more labels\.$/);
  });

  it('explain that one label alone is not enough', () => {
    const images = tagged(20, 'cat');
    assert.match(
      describeMissing(images, 'singleLabelClassification', ['cat']) ?? '',
      /Add a second label/,
    );
    assert.match(
      describeMissing(images, 'multiLabelClassification', ['cat']) ?? '',
      /^Every image has .* at least 10 images without it that have another tag\.$/,
    );
  });

  it('explain that images without labels and without boxes are unusable', () => {
    assert.match(
      describeMissing(tagged(20), 'singleLabelClassification', ['a', 'b']) ?? '',
      /^No images in/,
    );
    assert.match(
      describeMissing(tagged(20, 'cat'), 'objectDetection', ['cat']) ?? '',
      /have boxes/,
    );
    assert.match(describeMissing([], 'objectDetection', []) ?? '', /^No labels were specified/);
  });

  it('explain that images have several of the labels, if that is the cause', () => {
    const task = 'singleLabelClassification';
    const both = tagged(25, 'cat', 'dog');
    assert.equal(
      describeMissing(both, task, ['cat', 'dog']),
      'Every image with one of the labels has more than one of them (25 images), but single-label training ' +
        'only uses images with exactly one. Train a multi-label model, or remove tags.',
    );
    assert.equal(
      describeMissing([...both, ...tagged(20, 'cat'), ...tagged(3, 'dog')], task, ['cat', 'dog']),
      'Only 3 images have the label "dog" without another label of this job. Single-label training needs at ' +
        'least 10, and skips 25 images with more than one label. Train a multi-label model, remove tags, or train ' +
        'without it.',
    );
    assert.match(
      describeMissing([...both, ...tagged(20, 'cat')], task, ['cat', 'dog']) ?? '',
      /^No image has the label "dog" without another label/,
    );
    const apart = [...tagged(10, 'cat'), ...tagged(10, 'dog')];
    assert.equal(describeMissing([...both, ...apart], task, ['cat', 'dog']), undefined);
    assert.match(
      describeMissing(both, 'multiLabelClassification', ['cat', 'dog']) ?? '',
      /^Every image has all of the labels, .* images without one of them that have another tag\.$/,
    );
  });

  it('include the number of images with boxes that are needed', () => {
    const images = tagged(5).map((image) => ({
      ...image,
      boxes: [...boxed(2, 'cat')].flatMap(({ boxes }) => boxes),
    }));
    assert.equal(
      describeMissing(images, 'objectDetection', ['cat']),
      'Only 5 images have boxes. Training needs at least 12. Add boxes to 7 more.',
    );
    const { boxes } = boxed(1, 'cat')[0] ?? assert.fail();
    const one = { file: 'one', labels: [], boxes: Array.from({ length: 10 }, () => boxes).flat() };
    assert.match(
      describeMissing([one], 'objectDetection', ['cat']) ?? '',
      /^Only 1 image has boxes\. .* 11 /,
    );
  });

  it('exclude unusable images, and report why', () => {
    const images = [...tagged(1, 'a', 'b'), ...tagged(2, 'c'), ...tagged(3), ...tagged(4, 'a')];
    const tally = tallyExamples(images, 'singleLabelClassification', ['a', 'b']);
    assert.equal(tally.images, 4);
    assert.deepEqual([...tally.skipped].sort(), [
      ['noneOfLabels', 5],
      ['severalLabels', 1],
    ]);
  });
});
