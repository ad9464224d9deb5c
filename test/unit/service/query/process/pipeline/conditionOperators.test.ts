import assert from 'node:assert/strict';
import { runOn } from './runOn';

/** Returns the values of the field `v` that meet a condition. */
async function matching(values: readonly unknown[], condition: unknown): Promise<unknown[]> {
  const documents = values.map((v) => (v === undefined ? {} : { v }));
  return (await runOn(documents, { $match: { v: condition } })).map(({ v }) => v);
}

/** Returns the indexes of the documents that meet a condition. */
async function indexes(documents: readonly object[], condition: object): Promise<unknown[]> {
  const numbered = documents.map((document, n) => ({ ...document, n }));
  return (await runOn(numbered, { $match: condition })).map(({ n }) => n);
}

// Expected results follow MongoDB's manual.
describe('conditions of $match on arrays', () => {
  it('$elemMatch with fields matches only documents and arrays', async () => {
    const values = [[5], [null], ['x'], [{ b: 1 }], [{ b: 2 }, 5], [[7, 8]], [], { b: 2 }, 5];
    const match = (condition: object): Promise<unknown[]> =>
      matching(values, { $elemMatch: condition });
    assert.deepEqual(await match({ b: { $ne: 1 } }), [[{ b: 2 }, 5], [[7, 8]]]);
    assert.deepEqual(await match({ b: null }), [[[7, 8]]]);
    assert.deepEqual(await match({ b: { $exists: false } }), [[[7, 8]]]);
    assert.deepEqual(await match({ $or: [{ b: 1 }, { 1: 8 }] }), [[{ b: 1 }], [[7, 8]]]);
    assert.deepEqual(await match({}), [[{ b: 1 }], [{ b: 2 }, 5], [[7, 8]]]);
    assert.deepEqual(await matching([[[{ b: 1 }]]], { $elemMatch: { b: 1 } }), []);
    await assert.rejects(matching([1], { $elemMatch: 5 }), /\$elemMatch needs a document/);
  });

  it('$elemMatch with operators tests elements as a whole', async () => {
    const values = [[1, 9], [5], [[5]], 5, [[1, 2], 3]];
    const match = (condition: object): Promise<unknown[]> =>
      matching(values, { $elemMatch: condition });
    assert.deepEqual(await match({ $gt: 4, $lt: 6 }), [[5]]);
    assert.deepEqual(await match({ $size: 2 }), [[[1, 2], 3]]);
    assert.deepEqual(await match({ $elemMatch: { $gt: 4 } }), [[[5]]]);
    assert.deepEqual(await match({ $not: { $lt: 8 } }), [[1, 9], [[5]], [[1, 2], 3]]);
    assert.deepEqual(await match({ $in: [5, /x/] }), [[5]]);
    assert.deepEqual(await matching(values, { $all: [{ $elemMatch: { $gt: 4 } }] }), [[1, 9], [5]]);
  });

  it('$size and $exists read each array along the path', async () => {
    const documents = [
      { a: [{ b: [1, 2] }, { b: [3] }] },
      { a: [{ b: 1 }, { b: 2 }] },
      { a: [[1, 2]] },
      { a: [{}] },
      { a: { b: null } },
      {},
    ];
    assert.deepEqual(await indexes(documents, { 'a.b': { $size: 1 } }), [0]);
    assert.deepEqual(await indexes(documents, { 'a.b': { $size: 2 } }), [0]);
    assert.deepEqual(await indexes(documents, { a: { $size: 2 } }), [0, 1]);
    assert.deepEqual(await indexes(documents, { 'a.b': { $exists: true } }), [0, 1, 4]);
    assert.deepEqual(await indexes(documents, { 'a.b': { $exists: false } }), [2, 3, 5]);
    assert.deepEqual(await indexes(documents, { 'a.0': { $exists: 1 } }), [0, 1, 2, 3]);
    for (const size of [-1, 1.5, 'x', { $gt: 1 }]) {
      await assert.rejects(matching([[1]], { $size: size }), /\$size must be a whole number/);
    }
  });
});

describe('conditions of $match', () => {
  it('$bitsAllSet and related operators match only whole numbers', async () => {
    const values = [0, 1, 5, -1, 2 ** 40, 1.5, '5', null, undefined, [4, 'x'], NaN];
    const match = (condition: object): Promise<unknown[]> => matching(values, condition);
    assert.deepEqual(await match({ $bitsAllSet: 5 }), [5, -1]);
    assert.deepEqual(await match({ $bitsAllSet: [40] }), [-1, 2 ** 40]);
    assert.deepEqual(await match({ $bitsAllClear: 1 }), [0, 2 ** 40, [4, 'x']]);
    assert.deepEqual(await match({ $bitsAnySet: [2, 200] }), [5, -1, [4, 'x']]);
    assert.deepEqual(await match({ $bitsAnyClear: 5 }), [0, 1, 2 ** 40, [4, 'x']]);
    await assert.rejects(match({ $bitsAllSet: -1 }), /bits must be a whole number/);
    await assert.rejects(match({ $bitsAllSet: ['x'] }), /or an array of positions/);
  });

  it('$not rejects values that are not conditions', async () => {
    assert.deepEqual(await matching(['ab', 'b', 5], { $not: /^a/ }), ['b', 5]);
    assert.deepEqual(await matching([1, 5, null], { $not: { $gt: 2, $lt: 9 } }), [1, null]);
    for (const operand of [5, 'x', {}, { a: 1 }, null]) {
      await assert.rejects(matching([1], { $not: operand }), /\$not needs a condition/);
    }
  });

  it('compare with values, not with patterns and operators', async () => {
    for (const [condition, message] of [
      [{ $ne: /x/ }, /\$ne needs a value/],
      [{ $gt: /x/ }, /a pattern is neither less nor greater/],
      [{ $in: [{ $regex: 'x' }] }, /\$in and \$nin need values/],
      [{ $nin: [{ $gt: 1 }] }, /\$in and \$nin need values/],
      [{ $all: [{ $gt: 1 }] }, /\$all needs values/],
    ] as const) {
      await assert.rejects(matching([1], condition), message);
    }
  });

  it('$expr uses the truth of expressions, also for missing fields', async () => {
    const documents = [{ a: 1 }, { a: '' }, { a: NaN }, { a: 0 }, { a: null }, {}];
    assert.deepEqual(await indexes(documents, { $expr: '$a' }), [0, 1, 2]);
    assert.deepEqual(await indexes(documents, { $expr: { $eq: ['$a', '$none'] } }), [5]);
    assert.deepEqual(await indexes(documents, { $expr: { $eq: ['$a', null] } }), [4]);
    assert.deepEqual(await indexes(documents, { $expr: { $lt: ['$a', 1] } }), [2, 3, 4, 5]);
  });

  it('$jsonSchema is rejected', async () => {
    const schema = { $jsonSchema: { required: ['a'] } };
    await assert.rejects(runOn([{}], { $match: schema }), /unknown query operator \$jsonSchema/);
  });
});
