import assert from 'node:assert/strict';
import { forEachBounded } from '../../../src/base/bounded';

describe('forEachBounded', () => {
  it('processes all items, never more than the limit at a time', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await forEachBounded([1, 2, 3, 4, 5], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      done.push(item);
    });
    assert.deepEqual(done.toSorted(), [1, 2, 3, 4, 5]);
    assert.equal(most, 2);
  });

  it('fails with the first failure', async () => {
    const work = (item: number) =>
      item === 2 ? Promise.reject(new Error('two')) : Promise.resolve();
    await assert.rejects(forEachBounded([1, 2, 3], 2, work), /two/);
  });

  it('starts nothing after a failure, and waits for running work', async () => {
    const begun: number[] = [];
    const done: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 1) throw new Error('one');
      await new Promise(setImmediate);
      if (item === 3) throw new Error('three');
      done.push(item);
    };
    await assert.rejects(forEachBounded([1, 2, 3, 4, 5, 6], 3, work), /one/);
    assert.deepEqual([begun, done], [[1, 2, 3], [2]]);
  });
});
