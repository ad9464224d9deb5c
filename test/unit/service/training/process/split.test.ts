import assert from 'node:assert/strict';
import { split } from '../../../../../src/service/training/process/dataset/split';
import { Random } from '../../../../../src/simulate/random';

const examples = [
  ...Array.from({ length: 40 }, () => ({ classes: [0] })),
  ...Array.from({ length: 10 }, () => ({ classes: [1] })),
  ...Array.from({ length: 10 }, () => ({ classes: [0, 2] })),
  ...Array.from({ length: 5 }, () => ({ classes: [] })),
];

describe('the images that are held out of a training', () => {
  it('are a fifth of each label, at least two', () => {
    const { training, heldOut } = split(examples, 3, new Random('seed'));
    const count = (label: number): number =>
      heldOut.filter(({ classes }) => classes.includes(label)).length;
    assert.deepEqual([0, 1, 2].map(count), [10, 2, 2]);
    assert.equal(training.length + heldOut.length, examples.length);
    assert.ok(training.every((example) => !heldOut.includes(example)));
  });

  it('leave something of each label to learn from', () => {
    const few = [{ classes: [0] }, { classes: [1] }, { classes: [1] }];
    const { training, heldOut } = split(few, 2, new Random('seed'));
    assert.deepEqual(training.map(({ classes }) => classes).toSorted(), [[0], [1]]);
    assert.deepEqual(heldOut, [{ classes: [1] }]);
  });

  it('are the same for the same seed', () => {
    const once = split(examples, 3, new Random('seed')).heldOut;
    assert.deepEqual(split(examples, 3, new Random('seed')).heldOut, once);
    const places = (seed: string): number[] =>
      split(examples, 3, new Random(seed)).heldOut.map((one) => examples.indexOf(one));
    assert.notDeepEqual(places('seed'), places('other'));
  });
});
