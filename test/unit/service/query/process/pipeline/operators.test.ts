import assert from 'node:assert/strict';
import { runOn } from './runOn';

/** Returns the values of the field `v` that meet a condition. */
async function matching(values: readonly unknown[], condition: unknown): Promise<unknown[]> {
  const documents = values.map((v) => (v === undefined ? {} : { v }));
  return (await runOn(documents, { $match: { v: condition } })).map(({ v }) => v);
}

/** Returns the document that contains only the value of an expression. */
async function compute(document: object, expression: unknown): Promise<unknown> {
  const [result] = await runOn([{ ...document }], { $project: { value: expression } });
  return result;
}

// Expected results follow MongoDB's manual.
describe('operators in $match', () => {
  it('$all matches a scalar like an array with one element', async () => {
    const values = ['gps', ['gps', 'imu'], ['imu'], null, undefined, [['gps']]];
    assert.deepEqual(await matching(values, { $all: ['gps'] }), ['gps', ['gps', 'imu']]);
    assert.deepEqual(await matching(values, { $all: ['gps', /^i/] }), [['gps', 'imu']]);
    assert.deepEqual(await matching(values, { $all: [['gps']] }), [[['gps']]]);
    assert.deepEqual(await matching(values, { $all: [] }), []);
    const lists = [[1, 5], [1, 9], 5];
    const between = { $elemMatch: { $gt: 4, $lt: 6 } };
    assert.deepEqual(await matching(lists, { $all: [between] }), [[1, 5]]);
  });

  it('$mod matches only numbers, without their fractions', async () => {
    const values = [8, 4.5, -4, 3, null, undefined, '8', true, [3, 8], NaN, Infinity];
    assert.deepEqual(await matching(values, { $mod: [2, 0] }), [8, 4.5, -4, [3, 8]]);
    assert.deepEqual(await matching(values, { $mod: [4, 0] }), [8, 4.5, -4, [3, 8]]);
    assert.deepEqual(await matching(values, { $mod: [4.9, 3.2] }), [3, [3, 8]]);
    await assert.rejects(matching([1], { $mod: [0, 0] }), /divisor of \$mod must not be 0/);
    await assert.rejects(matching([1], { $mod: [2] }), /\$mod needs an array of two numbers/);
  });

  it('$in and $nin compare whole arrays, and their elements', async () => {
    const values = [[1, 2], [[1, 2], 5], [2, 1], 1, null];
    assert.deepEqual(await matching(values, { $in: [[1, 2]] }), [
      [1, 2],
      [[1, 2], 5],
    ]);
    assert.deepEqual(await matching(values, { $nin: [[1, 2]] }), [[2, 1], 1, null]);
    assert.deepEqual(await matching(values, { $in: [1, /x/] }), [[1, 2], [2, 1], 1]);
    assert.deepEqual(await matching(values, [1, 2]), [
      [1, 2],
      [[1, 2], 5],
    ]);
    await assert.rejects(matching([1], { $in: 1 }), /\$in and \$nin need an array/);
  });

  it('null matches an array with a document that lacks the field', async () => {
    const lists = [[{ b: 1 }, {}], [{ b: 1 }], [{ b: null }], [], [1], 5, undefined];
    const documents = lists.map((list, n) => (list === undefined ? { n } : { n, list }));
    const numbers = async (condition: unknown): Promise<unknown[]> =>
      (await runOn(documents, { $match: { 'list.b': condition } })).map(({ n }) => n);
    assert.deepEqual(await numbers(null), [0, 2, 5, 6]);
    assert.deepEqual(await numbers({ $ne: null }), [1, 3, 4]);
    assert.deepEqual(await numbers({ $in: [null, 7] }), [0, 2, 5, 6]);
    assert.deepEqual(await numbers({ $exists: true }), [0, 1, 2]);
  });

  it('$gte and $lte with null match null and missing values', async () => {
    const values = [null, undefined, 3, 'a', [null, 3], []];
    const expected = [null, undefined, [null, 3]];
    assert.deepEqual(await matching(values, { $gte: null }), expected);
    assert.deepEqual(await matching(values, { $lte: null }), expected);
    assert.deepEqual(await matching(values, { $gt: null }), []);
    assert.deepEqual(await matching([NaN, 3], { $lte: 5 }), [3]);
  });

  it('find values by the index of an array', async () => {
    const documents = [{ list: [{ b: 1 }, { b: 2 }] }, { list: [{ b: 2 }, { b: 1 }] }];
    assert.deepEqual(await runOn(documents, { $match: { 'list.0.b': 2 } }), [documents[1]]);
    assert.deepEqual(await runOn(documents, { $match: { 'list.1': { b: 2 } } }), [documents[0]]);
  });
});

describe('operators in expressions', () => {
  it('$first and $last return elements unchanged, and nothing of an empty array', async () => {
    const nested = { list: [[1, 2], [3]] };
    assert.deepEqual(await compute(nested, { $first: '$list' }), { value: [1, 2] });
    assert.deepEqual(await compute(nested, { $last: '$list' }), { value: [3] });
    assert.deepEqual(await compute(nested, { $last: ['$list'] }), { value: [3] });
    assert.deepEqual(await compute({ list: [] }, { $first: '$list' }), {});
    assert.deepEqual(await compute({ list: [] }, { $last: '$list' }), {});
    assert.deepEqual(await compute({}, { $first: '$list' }), { value: null });
    await assert.rejects(compute({ list: 5 }, { $last: '$list' }), /need an array/);
  });

  it('$not treats only null, missing values, 0, and false as false', async () => {
    for (const value of ['', 'a', [], {}, 1, true]) {
      assert.deepEqual(await compute({ value }, { $not: ['$value'] }), { value: false });
    }
    for (const value of [null, 0, false]) {
      assert.deepEqual(await compute({ value }, { $not: ['$value'] }), { value: true });
    }
    assert.deepEqual(await compute({}, { $not: '$none' }), { value: true });
  });
});
