import assert from 'node:assert/strict';
import { divide, split } from '../../../../../src/service/training/process/split';
import { Random } from '../../../../../src/simulate/random';

const withContents = (classes: readonly (readonly number[])[]) =>
  classes.map((of, at) => ({ classes: of, content: String(at) }));
const examples = withContents([
  ...Array.from({ length: 40 }, () => [0]),
  ...Array.from({ length: 10 }, () => [1]),
  ...Array.from({ length: 10 }, () => [0, 2]),
  ...Array.from({ length: 5 }, () => []),
]);

describe('held-out images', () => {
  it('are a fifth of each label, and at least two', () => {
    const { training, heldOut } = split(examples, 3, new Random('seed'));
    const count = (label: number): number =>
      heldOut.filter(({ classes }) => classes.includes(label)).length;
    assert.deepEqual([0, 1, 2].map(count), [10, 2, 2]);
    assert.equal(training.length + heldOut.length, examples.length);
    assert.ok(training.every((example) => !heldOut.includes(example)));
  });

  it('leave images of each label for training', () => {
    const { training, heldOut } = split(withContents([[0], [1], [1]]), 2, new Random('seed'));
    assert.deepEqual(training.map(({ classes }) => classes).toSorted(), [[0], [1]]);
    assert.deepEqual(
      heldOut.map(({ classes }) => classes),
      [[1]],
    );
  });

  it('have no copies among the training images', () => {
    const copied = examples.flatMap((example) => [example, { ...example }, { ...example }]);
    const { training, heldOut } = split(copied, 3, new Random('seed'));
    const learned = new Set(training.map(({ content }) => content));
    assert.ok(heldOut.every(({ content }) => !learned.has(content)));
    assert.equal(training.length + heldOut.length, copied.length);
    assert.equal(heldOut.filter(({ classes }) => classes.includes(1)).length, 6);
  });

  it('are the same for the same seed', () => {
    const once = split(examples, 3, new Random('seed')).heldOut;
    assert.deepEqual(split(examples, 3, new Random('seed')).heldOut, once);
    const getHeldOutIndexes = (seed: string): number[] =>
      split(examples, 3, new Random(seed)).heldOut.map((one) => examples.indexOf(one));
    assert.notDeepEqual(getHeldOutIndexes('seed'), getHeldOutIndexes('other'));
  });
});

describe('divide', () => {
  it('takes validation images of every label from the training images, never from the held-out ones', () => {
    const many = withContents(Array.from({ length: 160 }, (_, at) => [at % 2]));
    const random = new Random('seed');
    const { learning, validation, heldOut } = divide(many, 2, random);
    assert.deepEqual([learning.length, validation.length, heldOut.length], [109, 19, 32]);
    assert.equal(new Set([...learning, ...validation, ...heldOut]).size, 160);
    assert.deepEqual(new Set(validation.flatMap(({ classes }) => classes)), new Set([0, 1]));
    const { heldOut: alone } = split(many, 2, random.of('split'));
    assert.deepEqual(heldOut, alone);
  });

  it('takes none if there are too few images', () => {
    const few = withContents(Array.from({ length: 60 }, (_, at) => [at % 2]));
    const { learning, validation, heldOut } = divide(few, 2, new Random('seed'));
    assert.deepEqual([learning.length, validation.length, heldOut.length], [48, 0, 12]);
  });

  for (const [labels, each] of [
    [20, 8],
    [40, 5],
    [60, 4],
    [3, 300],
  ] as const) {
    it(`takes at most 15% for the validation of ${labels} labels with ${each} images each`, () => {
      const images = withContents(Array.from({ length: labels * each }, (_, at) => [at % labels]));
      const { learning, validation } = divide(images, labels, new Random('seed'));
      const share = validation.length / (learning.length + validation.length);
      assert.ok(share <= 0.15 && share > 0.14, String(share));
      const learned = new Set(learning.flatMap(({ classes }) => classes));
      assert.equal(learned.size, labels);
    });
  }
});
