import assert from 'node:assert/strict';
import {
  imagesWithSeveral,
  TogetherTally,
} from '../../../../../src/core/data/datasets/datasetReadiness';

describe('combinations of labels', () => {
  function together(
    maxCachedLabels: number | undefined,
    ...images: readonly (readonly string[])[]
  ) {
    const tally = new TogetherTally(maxCachedLabels);
    for (const labels of images) tally.add(labels);
    return tally.result();
  }

  it('are counted by image for any selection of labels', () => {
    const counted = together(
      undefined,
      ['a'],
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b', 'c'],
      ['c', 'd'],
      [],
    );
    assert.equal(counted.images, 4);
    const several = imagesWithSeveral(counted, ['a', 'b']);
    assert.deepEqual([several.images, several.isLeast], [3, false]);
    assert.deepEqual(
      [...several.byLabel],
      [
        ['a', 3],
        ['b', 3],
      ],
    );
    assert.equal(imagesWithSeveral(counted, ['a', 'd']).images, 0);
  });

  it('are stored up to a limit, and then reported as a minimum', () => {
    const own = Array.from({ length: 50 }, (_, n) => ['a', 'b', String(n)]);
    const counted = together(30, ...own, ['a', 'b', '0']);
    assert.deepEqual([counted.images, counted.sets.length], [51, 10]);
    const several = imagesWithSeveral(counted, ['a', 'b']);
    assert.deepEqual([several.images, several.isLeast], [11, true]);
  });
});
