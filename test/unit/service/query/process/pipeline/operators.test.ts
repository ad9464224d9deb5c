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

  it('null matches an array with a document without the field', async () => {
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

  it('$type matches the elements of an array, and null only null', async () => {
    const values = [[1, 'x'], 'xyz', [], [[1]], undefined, null, [{ b: 1 }], 1.5, true];
    for (const [type, expected] of [
      ['string', [[1, 'x'], 'xyz']],
      ['double', [[1, 'x'], 1.5]],
      ['number', [[1, 'x'], 1.5]],
      ['array', [[1, 'x'], [], [[1]], [{ b: 1 }]]],
      [3, [[{ b: 1 }]]],
      ['null', [null]],
      ['undefined', []],
      [
        ['bool', 'null'],
        [null, true],
      ],
    ] as const) {
      assert.deepEqual(await matching(values, { $type: type }), expected, String(type));
    }
    await assert.rejects(matching([1], { $type: 'text' }), /there is no type "text"/);
    await assert.rejects(matching([1], { $type: [] }), /at least one type/);
    const readings = [{ data: { n: 3 } }];
    assert.deepEqual(await runOn(readings, { $match: { 'data.n': { $type: 'int' } } }), []);
    assert.deepEqual(
      await runOn(readings, { $match: { 'data.n': { $type: 'double' } } }),
      readings,
    );
  });

  it('$regex matches the elements of an array, but not of an array within it', async () => {
    const values = ['xyz', [1, 'x'], [['x']], null, undefined, 5, ['X']];
    assert.deepEqual(await matching(values, { $regex: '^x' }), ['xyz', [1, 'x']]);
    assert.deepEqual(await matching(values, { $regex: '^x', $options: 'i' }), [
      'xyz',
      [1, 'x'],
      ['X'],
    ]);
    assert.deepEqual(await matching(values, { $all: [/^x/] }), ['xyz', [1, 'x']]);
    assert.deepEqual(await matching(values, { $not: { $regex: '^x' } }), [
      [['x']],
      null,
      undefined,
      5,
      ['X'],
    ]);
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
    await assert.rejects(compute({ list: 5 }, { $last: '$list' }), /\$last needs an array/);
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

  it('have the same meaning with and without an array around the only operand', async () => {
    const document = { n: -2.5, list: [3, 1], text: 'Ab', object: { x: 1 }, pairs: [['p', 1]] };
    for (const [operator, operand, expected] of [
      ['$abs', '$n', 2.5],
      ['$round', '$n', -2],
      ['$trunc', '$n', -2],
      ['$type', '$n', 'double'],
      ['$isNumber', '$n', true],
      ['$toString', '$n', '-2.5'],
      ['$size', '$list', 2],
      ['$isArray', '$list', true],
      ['$reverseArray', '$list', [1, 3]],
      ['$concatArrays', '$list', [3, 1]],
      ['$strLenCP', '$text', 2],
      ['$concat', '$text', 'Ab'],
      ['$objectToArray', '$object', [{ k: 'x', v: 1 }]],
      ['$arrayToObject', '$pairs', { p: 1 }],
      ['$mergeObjects', '$object', { x: 1 }],
    ] as const) {
      const value = { value: expected };
      assert.deepEqual(await compute(document, { [operator]: operand }), value, operator);
      assert.deepEqual(await compute(document, { [operator]: [operand] }), value, operator);
    }
    await assert.rejects(compute(document, { $abs: [1, 2] }), /\$abs needs one operand/);
    await assert.rejects(compute(document, { $size: '$none' }), /\$size needs an array/);
  });

  it('$sum, $avg, $min, and $max read one number, the elements of one array, or operands', async () => {
    const document = { n: 4, list: [1, 'x', 3, null], text: 'x' };
    for (const [operator, ofNumber, ofList, ofOperands, ofNothing] of [
      ['$sum', 4, 4, 6, 0],
      ['$avg', 4, 2, 3, null],
      ['$min', 4, 1, 2, null],
      ['$max', 4, 'x', 4, null],
      ['$stdDevPop', 0, 1, 1, null],
      ['$stdDevSamp', null, Math.SQRT2, Math.SQRT2, null],
    ] as const) {
      const values = async (...operands: unknown[]): Promise<unknown[]> =>
        Promise.all(operands.map((operand) => compute(document, { [operator]: operand })));
      const expected = [ofNumber, ofNumber, ofList, ofList, ofOperands, ofNothing, ofNothing];
      assert.deepEqual(
        await values('$n', ['$n'], '$list', ['$list'], ['$n', 2], '$none', []),
        expected.map((value) => ({ value })),
        operator,
      );
    }
    await assert.rejects(compute(document, { $push: '$n' }), /unknown expression operator \$push/);
  });

  it('$sortArray sorts whole elements of all types, or documents by fields', async () => {
    const list = [true, 'b', null, [1], { k: 2 }, -1, 'B', 3];
    const sorted = [null, -1, 3, 'B', 'b', { k: 2 }, [1], true];
    const sort = (input: unknown, sortBy: unknown): Promise<unknown> =>
      compute({ list: input }, { $sortArray: { input: '$list', sortBy } });
    assert.deepEqual(await sort(list, 1), { value: sorted });
    assert.deepEqual(await sort(list, -1), { value: sorted.toReversed() });
    const documents = [{ k: 2, n: 1 }, { n: 2 }, { k: 1, n: 3 }, { k: 2, n: 0 }];
    assert.deepEqual(await sort(documents, { k: -1, n: 1 }), {
      value: [{ k: 2, n: 0 }, { k: 2, n: 1 }, { k: 1, n: 3 }, { n: 2 }],
    });
    assert.deepEqual(await sort(null, 1), { value: null });
    await assert.rejects(sort([1], 2), /sortBy of \$sortArray must be a document/);
    await assert.rejects(sort(5, 1), /\$sortArray needs an array/);
  });

  it('$maxN and $minN use the order of all types', async () => {
    const values = [null, 2, [9], 'x', -1];
    for (const [operator, expected] of [
      ['$maxN', [[9], 'x', 2]],
      ['$minN', [-1, 2, 'x']],
    ] as const) {
      const document = { list: values };
      const operand = { n: 3, input: '$list' };
      assert.deepEqual(await compute(document, { [operator]: operand }), { value: expected });
      const group = { _id: null, value: { [operator]: { n: 3, input: '$v' } } };
      const grouped = await runOn(
        values.map((v) => ({ v })),
        { $group: group },
      );
      assert.deepEqual(grouped, [{ _id: null, value: expected }]);
    }
  });
});

describe('accumulators that select documents by an order', () => {
  const documents = [null, [5, 1], 2, 'x', undefined, -1].map((v, n) =>
    v === undefined ? { n } : { n, v },
  );
  const group = async (accumulator: object, of: object[] = documents): Promise<unknown> => {
    const [result] = await runOn(of as never, { $group: { _id: null, value: accumulator } });
    return result?.value;
  };

  it('use the order of $sort', async () => {
    for (const direction of [1, -1]) {
      const sortBy = { v: direction };
      const sorted = (await runOn(documents, { $sort: sortBy })).map(({ n }) => n);
      const output = '$n';
      assert.deepEqual(await group({ $topN: { n: 9, sortBy, output } }), sorted);
      assert.deepEqual(await group({ $topN: { n: 2, sortBy, output } }), sorted.slice(0, 2));
      assert.deepEqual(await group({ $bottomN: { n: 2, sortBy, output } }), sorted.slice(-2));
      assert.equal(await group({ $top: { sortBy, output } }), sorted[0]);
      assert.equal(await group({ $bottom: { sortBy, output } }), sorted.at(-1));
    }
  });

  it('keep only the documents that they need', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => ({ n, v: (n * 7) % 5_000 }));
    const operand = { n: 3, sortBy: { v: -1 }, output: '$v' };
    assert.deepEqual(await group({ $topN: operand }, many), [4_999, 4_998, 4_997]);
    assert.deepEqual(await group({ $bottomN: operand }, many), [2, 1, 0]);
  });

  it('output several values, null for a missing one, and reject operands that are wrong', async () => {
    const sortBy = { n: -1 };
    assert.deepEqual(await group({ $top: { sortBy, output: ['$n', '$none'] } }), [5, null]);
    assert.deepEqual(await group({ $topN: { n: 2, sortBy, output: '$v' } }), [-1, null]);
    const rejects = (accumulator: object, message: RegExp): Promise<void> =>
      assert.rejects(group(accumulator), message);
    await rejects({ $topN: { n: 0, sortBy, output: '$n' } }, /n must be a positive whole number/);
    await assert.rejects(group({ $minN: '$v' }, []), /\$minN must have n, input/);
    await assert.rejects(group({ $topN: { n: 1, sortBy } }, []), /\$topN must have output/);
    await rejects({ $top: { sortBy } }, /\$top must have output/);
    await rejects({ $top: { sortBy: { n: 2 }, output: '$n' } }, /must be 1 \(ascending\) or -1/);
  });
});
