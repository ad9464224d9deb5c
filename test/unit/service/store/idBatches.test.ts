import assert from 'node:assert/strict';
import { queryByIds } from '../../../../src/service/store/identifiers';

const MANY = 25_000;

describe('queryByIds', () => {
  it('queries every ID once, in batches that fit into a statement', async () => {
    const ids = Array.from({ length: MANY }, (_, index) => `id${index}`);
    const sizes: number[] = [];
    const rows = await queryByIds([...ids, 'id0'], (batch) => {
      sizes.push(batch.length);
      return Promise.resolve(batch);
    });
    assert.deepEqual(rows, ids);
    assert.deepEqual(sizes, [10_000, 10_000, 5_000]);
  });

  it('runs no query without IDs', async () => {
    assert.deepEqual(await queryByIds([], () => assert.fail('asked')), []);
  });
});
