import assert from 'node:assert/strict';
import { JobError } from '../../../../../../src/service/query/process/jobError';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { runOn } from './runOn';

const ORDERS = [
  { _id: 1, item: 'almonds', price: 12, quantity: 2 },
  { _id: 2, item: 'pecans', price: 20, quantity: 1 },
  { _id: 3 },
];
const INVENTORY = [
  { _id: 1, sku: 'almonds', description: 'product 1', instock: 120 },
  { _id: 2, sku: 'bread', description: 'product 2', instock: 80 },
  { _id: 3, sku: 'cashews', description: 'product 3', instock: 60 },
  { _id: 4, sku: 'pecans', description: 'product 4', instock: 70 },
  { _id: 5, sku: null, description: 'Incomplete' },
  { _id: 6 },
];

async function assertRejected(stage: Document, pattern: RegExp, path?: readonly string[]) {
  await assert.rejects(runOn([{ a: 1 }], { $limit: 1 }, stage), (error) => {
    assert.ok(error instanceof JobError, String(error));
    assert.match(error.message, pattern);
    if (path) assert.deepEqual(error.location, { stage: 1, path });
    return true;
  });
}

// Expected results follow the examples in MongoDB's manual.
describe('stages that join pipelines', () => {
  const lookup = async (documents: readonly Document[], $lookup: Document) =>
    runOn(documents, { $lookup: { as: 'found', ...$lookup } });
  const numbers = async (documents: readonly Document[], $lookup: Document): Promise<unknown[]> =>
    (await lookup(documents, $lookup)).map(({ found }) =>
      (found as readonly Document[]).map(({ _id }) => _id),
    );
  const inventory = [{ $documents: INVENTORY }];
  const bySku = { localField: 'item', foreignField: 'sku' };

  it('lookup: joins by equal fields, null and missing are equal', async () => {
    const found = await numbers(ORDERS, { ...bySku, pipeline: inventory });
    assert.deepEqual(found, [[1], [4], [5, 6]]);
  });

  it('lookup: joins each element of an array, and documents that have an array', async () => {
    const classes = [
      { _id: 1, enrolled: ['giraffe2', 'pandabear', 'artie'] },
      { _id: 2, enrolled: ['giraffe1', 'artie'] },
      { _id: 3, enrolled: [] },
    ];
    const members = [
      { _id: 1, name: 'artie' },
      { _id: 4, name: 'giraffe1' },
      { _id: 5, name: 'giraffe2' },
      { _id: 6, name: ['pandabear', 'artie'] },
      { _id: 7 },
    ];
    const $documents = members;
    assert.deepEqual(
      await numbers(classes, {
        localField: 'enrolled',
        foreignField: 'name',
        pipeline: [{ $documents }],
      }),
      [[1, 5, 6], [1, 4, 6], []],
    );
    const deep = [{ _id: 1, list: [{ v: 1 }, { v: 2 }] }];
    const foreign = [
      {
        $documents: [
          { _id: 'a', x: [{ y: 2 }] },
          { _id: 'b', x: { y: 3 } },
        ],
      },
    ];
    const byDeep = { localField: 'list.v', foreignField: 'x.y', pipeline: foreign };
    assert.deepEqual(await numbers(deep, byDeep), [['a']]);
  });

  it('lookup: joins by conditions on variables', async () => {
    const warehouses = [
      { _id: 1, stock_item: 'almonds', warehouse: 'A', instock: 120 },
      { _id: 2, stock_item: 'pecans', warehouse: 'A', instock: 80 },
      { _id: 3, stock_item: 'almonds', warehouse: 'B', instock: 60 },
      { _id: 4, stock_item: 'almonds', warehouse: 'C', instock: 1 },
    ];
    const [first, second] = await lookup(ORDERS, {
      let: { order_item: '$item', order_qty: '$quantity' },
      pipeline: [
        { $documents: warehouses },
        {
          $match: {
            $expr: {
              $and: [
                { $eq: ['$stock_item', '$$order_item'] },
                { $gte: ['$instock', '$$order_qty'] },
              ],
            },
          },
        },
        { $project: { stock_item: 0, _id: 0 } },
      ],
    });
    assert.deepEqual(first?.found, [
      { warehouse: 'A', instock: 120 },
      { warehouse: 'B', instock: 60 },
    ]);
    assert.deepEqual(second?.found, [{ warehouse: 'A', instock: 80 }]);
  });

  it('lookup: runs a pipeline with variables over documents with equal fields', async () => {
    const restaurants = [
      { _id: 1, name: 'American Steak House', beverages: ['beer', 'wine'] },
      { _id: 2, name: 'Honest John Pizza', beverages: ['soda'] },
    ];
    const orders = [
      { _id: 1, restaurant: 'American Steak House', drink: 'wine' },
      { _id: 2, restaurant: 'Honest John Pizza', drink: 'water' },
      { _id: 3, restaurant: 'Honest John Pizza', drink: 'soda' },
    ];
    assert.deepEqual(
      await numbers(orders, {
        localField: 'restaurant',
        foreignField: 'name',
        let: { drink: '$drink' },
        pipeline: [
          { $documents: restaurants },
          { $match: { $expr: { $in: ['$$drink', '$beverages'] } } },
        ],
      }),
      [[1], [], [2]],
    );
  });

  it('lookup: returns the same result for all documents without variables', async () => {
    const pipeline = [{ $match: { price: { $gt: 15 } } }, { $project: { _id: 1 } }];
    assert.deepEqual(await numbers(ORDERS, { from: 'readings', pipeline }), [[2], [2], [2]]);
  });

  it('lookup: sees the variables of outer lookups', async () => {
    const [, second] = await lookup(ORDERS, {
      from: 'readings',
      let: { outer: '$_id' },
      pipeline: [
        { $match: { $expr: { $lt: ['$_id', '$$outer'] } } },
        {
          $lookup: {
            from: 'readings',
            as: 'inner',
            let: { middle: '$_id' },
            pipeline: [{ $project: { _id: 0, sum: { $add: ['$_id', '$$outer', '$$middle'] } } }],
          },
        },
        { $project: { inner: 1 } },
      ],
    });
    assert.deepEqual(second?.found, [{ _id: 1, inner: [{ sum: 4 }, { sum: 5 }, { sum: 6 }] }]);
  });

  it('lookup: stores its array at a nested path without changing the documents', async () => {
    const documents = [{ _id: 1, a: { b: 1 } }];
    const $lookup = { from: 'readings', localField: '_id', foreignField: 'a.b', as: 'a.c' };
    const [joined] = await runOn(documents, { $lookup });
    assert.deepEqual(joined, { _id: 1, a: { b: 1, c: [{ _id: 1, a: { b: 1 } }] } });
    assert.deepEqual(documents, [{ _id: 1, a: { b: 1 } }]);
  });

  it('unionWith: appends the documents of another pipeline', async () => {
    const documents = [{ n: 1 }, { n: 2 }];
    const union = async ($unionWith: unknown): Promise<unknown[]> =>
      (await runOn(documents, { $match: { n: 2 } }, { $unionWith })).map(({ n }) => n);
    assert.deepEqual(await union('readings'), [2, 1, 2]);
    assert.deepEqual(await union({ coll: 'readings' }), [2, 1, 2]);
    assert.deepEqual(await union({ coll: 'readings', pipeline: [{ $limit: 1 }] }), [2, 1]);
    assert.deepEqual(await union({ pipeline: [{ $documents: [{ n: 9 }] }] }), [2, 9]);
  });

  it('facet: returns one document with the results of all pipelines', async () => {
    const documents = Array.from({ length: 2500 }, (_, n) => ({ n, odd: n % 2 === 1 }));
    const $facet = {
      total: [{ $count: 'n' }],
      odd: [{ $match: { odd: true } }, { $count: 'n' }],
      first: [{ $limit: 2 }, { $project: { _id: 0, n: 1 } }],
      none: [{ $match: { n: -1 } }],
      sums: [{ $group: { _id: '$odd', sum: { $sum: '$n' } } }, { $sort: { _id: 1 } }],
    };
    assert.deepEqual(await runOn(documents, { $facet }, { $addFields: { more: true } }), [
      {
        total: [{ n: 2500 }],
        odd: [{ n: 1250 }],
        first: [{ n: 0 }, { n: 1 }],
        none: [],
        sums: [
          { _id: false, sum: 1_561_250 },
          { _id: true, sum: 1_562_500 },
        ],
        more: true,
      },
    ]);
    assert.deepEqual(await runOn([], { $facet: { all: [] } }), [{ all: [] }]);
  });

  it('facet: fails with the error of a nested pipeline, and reads no more than needed', async () => {
    const documents = Array.from({ length: 5000 }, (_, n) => ({ n, text: 'x' }));
    const wrong = [{ $project: { x: { $add: ['$n', '$text'] } } }];
    await assert.rejects(runOn(documents, { $facet: { ok: [{ $count: 'n' }], wrong } }), JobError);
    const few = { a: [{ $limit: 1 }], b: [{ $limit: 2 }, { $count: 'n' }] };
    const [document] = await runOn(documents, { $facet: few });
    assert.deepEqual(document, { a: [{ n: 0, text: 'x' }], b: [{ n: 2 }] });
  });

  it('report their errors and those of nested pipelines with the stage', async () => {
    await assertRejected({ $lookup: {} }, /stage 2 \(\$lookup\): the option as is missing/);
    await assertRejected(
      { $lookup: { from: 'elsewhere', localField: 'a', foreignField: 'a', as: 'b' } },
      /from must be "readings"/,
      ['$lookup', 'from'],
    );
    await assertRejected({ $lookup: { from: 'readings', as: 'b' } }, /localField and foreignField/);
    await assertRejected(
      { $lookup: { from: 'readings', localField: 'a', as: 'b' } },
      /foreignField must be the name of a field/,
    );
    await assertRejected({ $lookup: { pipeline: [], as: 'b' } }, /it needs from, or a pipeline/);
    await assertRejected(
      {
        $lookup: { from: 'readings', pipeline: [{ $limit: 1 }, { $match: { $nope: 1 } }], as: 'b' },
      },
      /stage 2 \(\$lookup\), its stage 2 \(\$match\): .*\$nope/,
      ['$lookup', 'pipeline', '1', '$match', '$nope'],
    );
    await assertRejected(
      { $facet: { a: [{ $out: 'x' }] } },
      /stage 2 \(\$facet\), its stage 1 \(\$out\): this stage is not supported/,
      ['$facet', 'a', '0', '$out'],
    );
    await assertRejected(
      { $facet: { a: [{ $facet: { b: [] } }] } },
      /cannot be used within \$facet/,
    );
    await assertRejected({ $facet: {} }, /at least one facet/);
    await assertRejected({ $facet: { 'a.b': [] } }, /has a dot/);
    await assertRejected({ $unionWith: 'other' }, /coll must be "readings"/);
    await assertRejected({ $unionWith: { coll: 'readings', pipeline: 1 } }, /must be an array/);
    await assertRejected(
      { $documents: [] },
      /stage 2 \(\$documents\): this stage is not supported/,
    );
    await assertRejected({ $graphLookup: {} }, /recursive lookups are not supported/);
    await assertRejected(
      { $lookup: { from: 'readings', let: { Big: 1 }, pipeline: [], as: 'b' } },
      /"Big" cannot be the name of a variable/,
    );
    await assertRejected(
      { $lookup: { from: 'readings', pipeline: [{ $project: { x: '$$none' } }], as: 'b' } },
      /undefined variable/,
    );
    let nested: Document[] = [];
    for (let depth = 0; depth < 25; depth++) {
      nested = [{ $unionWith: { coll: 'readings', pipeline: nested } }];
    }
    await assertRejected(nested[0] ?? {}, /nested up to 20 levels deep/);
  });
});
