import assert from 'node:assert/strict';
import { deserialize, type Document } from 'bson';
import { distinctStages, VALUE_FIELD } from '../../../../src/service/mongo/queryStages';
import { runOn } from '../query/process/pipeline/runOn';

/** Returns the distinct values of a key in documents that have the field `list`. */
async function getDistinctValues(lists: readonly unknown[], key: string): Promise<unknown[]> {
  const documents = lists.map((list) => ({ data: { readings: { list } } }));
  const stages = distinctStages({ key }).map((stage): Document => deserialize(stage));
  return (await runOn(documents, ...stages)).map((document) => document[VALUE_FIELD]);
}

describe('distinctStages', () => {
  const list = 'data.readings.list';

  it('returns the values of each document in an array', async () => {
    const values = (...lists: unknown[]) => getDistinctValues(lists, `${list}.a`);
    assert.deepEqual(await values([{ a: 1 }, { a: 2 }]), [1, 2]);
    assert.deepEqual(await values([{ a: 1 }, { b: 5 }, {}, 7], [{ a: 1 }, { a: null }]), [1, null]);
    assert.deepEqual(await values([{ a: [3, 4] }, { a: [] }, { a: 4 }], { a: 5 }), [3, 4, 5]);
    assert.deepEqual(await values([], [{}], [[{ a: 1 }]], null, 5), []);
  });

  it('returns the values of documents in nested arrays of documents', async () => {
    const nested = [{ a: [{ b: 1 }, { b: 2 }] }, { a: { b: 3 } }, { a: [] }, {}];
    assert.deepEqual(await getDistinctValues([nested], `${list}.a.b`), [1, 2, 3]);
  });

  it('returns the elements of arrays, and other values unchanged', async () => {
    const lists = [[1, 2], 2, null, [], [[], 3], 'a'];
    assert.deepEqual(await getDistinctValues(lists, list), [1, 2, null, [], 3, 'a']);
  });

  it('returns the values at an index of an array', async () => {
    const lists = [[{ a: 1 }, { a: 2 }], [{ a: 3 }]];
    assert.deepEqual(await getDistinctValues(lists, `${list}.0.a`), [1, 3]);
    assert.deepEqual(await getDistinctValues(lists, `${list}.1`), [{ a: 2 }]);
    assert.deepEqual(await getDistinctValues([[[[{ a: 4 }]]]], `${list}.0.0.0.a`), [4]);
    const inDocuments = [[{ a: [1, 2] }, { a: [3, 4] }], { a: [7, 8] }];
    assert.deepEqual(await getDistinctValues(inDocuments, `${list}.a.0`), [1, 3, 7]);
    const nested = [[{ a: [5, [6, 7]] }], [{ a: 5 }], { 0: { a: [8, 9] } }, []];
    assert.deepEqual(await getDistinctValues(nested, `${list}.0.a.1`), [6, 7, 9]);
  });
});
