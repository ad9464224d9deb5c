import assert from 'node:assert/strict';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { runOn } from './runOn';

const day = (date: string): Date => new Date(`2026-${date}Z`);

// Expected results follow MongoDB's manual.
describe('stages of pipelines', () => {
  it('match: arrays by any element, with separate types, null also for missing fields', async () => {
    const documents = [
      { n: 1, v: 25 },
      { n: 2, v: '25' },
      { n: 3, v: [1, 30] },
      { n: 4, v: null },
      { n: 5 },
      { n: 6, v: { x: 25 } },
      { n: 7, v: true },
    ];
    const numbers = async (v: unknown): Promise<unknown[]> =>
      (await runOn(documents, { $match: { v } })).map(({ n }) => n);
    assert.deepEqual(await numbers({ $gt: 20 }), [1, 3]);
    assert.deepEqual(await numbers({ $lt: 20 }), [3]);
    assert.deepEqual(await numbers(null), [4, 5]);
    assert.deepEqual(await numbers({ $ne: 25 }), [2, 3, 4, 5, 6, 7]);
    assert.deepEqual(await numbers({ $not: { $gt: 20 } }), [2, 4, 5, 6, 7]);
    assert.deepEqual(await numbers({ $in: [25, null, /^2/] }), [1, 2, 4, 5]);
    assert.deepEqual(await numbers({ $exists: false }), [5]);
    assert.deepEqual(await numbers({ $type: 'string' }), [2]);
    assert.deepEqual(await numbers({ $elemMatch: { $gt: 5 } }), [3]);
    assert.deepEqual(await numbers({ $size: 2 }), [3]);
  });

  it('match: compares values of all types in expressions, missing before null before numbers', async () => {
    const documents = [
      { n: 1 },
      { n: 2, v: null },
      { n: 3, v: 5 },
      { n: 4, v: 'a' },
      { n: 5, v: [1] },
    ];
    const numbers = async ($expr: object): Promise<unknown[]> =>
      (await runOn(documents, { $match: { $expr } })).map(({ n }) => n);
    assert.deepEqual(await numbers({ $lt: ['$v', 'b'] }), [1, 2, 3, 4]);
    assert.deepEqual(await numbers({ $gte: ['$v', 5] }), [3, 4, 5]);
    assert.deepEqual(await numbers({ $lt: ['$v', null] }), [1]);
    assert.deepEqual(await numbers({ $eq: ['$v', null] }), [2]);
    assert.deepEqual(await numbers({ $ne: ['$v', '$none'] }), [2, 3, 4, 5]);
    assert.deepEqual(await numbers({ $eq: [{ $cmp: ['$v', 5] }, -1] }), [1, 2]);
  });

  it('project: preserves order, computes, and omits, also within arrays', async () => {
    const documents = [{ _id: 1, a: { x: 1, y: 2 }, list: [{ p: 1, q: 2 }, 5], z: 'z' }];
    const project = async ($project: object) => (await runOn(documents, { $project }))[0];
    assert.deepEqual(await project({ z: 1, 'a.y': 1 }), { _id: 1, a: { y: 2 }, z: 'z' });
    assert.deepEqual(await project({ _id: 0, a: { x: 1 } }), { a: { x: 1 } });
    assert.deepEqual(await project({ _id: 0, 'list.p': 1 }), { list: [{ p: 1 }] });
    assert.deepEqual(await project({ a: 0, 'list.q': 0 }), { _id: 1, list: [{ p: 1 }, 5], z: 'z' });
    assert.deepEqual(await project({ _id: 0 }), {
      a: documents[0]?.a,
      list: documents[0]?.list,
      z: 'z',
    });
    assert.deepEqual(await project({ _id: 0, sum: { $add: ['$a.x', '$a.y'] }, none: '$b' }), {
      sum: 3,
    });
    assert.deepEqual(await project({ _id: 0, 'deep.s': '$z', pair: ['$z', '$b'] }), {
      deep: { s: 'z' },
      pair: ['z', null],
    });
  });

  it('project: includes no scalars in place of documents, not even dates', async () => {
    const documents = [{ v: new Date(5) }, { v: 5 }, { v: { b: 1, c: 2 } }, { v: [new Date(5)] }];
    assert.deepEqual(await runOn(documents, { $project: { 'v.b': 1 } }), [
      {},
      {},
      { v: { b: 1 } },
      { v: [] },
    ]);
    await assert.rejects(runOn(documents, { $project: { v: {} } }), /not be an empty document/);
  });

  it('group and sortByCount: reject values that are not single expressions', async () => {
    const group = { _id: null, sum: { $sum: ['$v', 1] } };
    await assert.rejects(runOn([{ v: 1 }], { $group: group }), /\$sum needs a single expression/);
    await assert.rejects(runOn([{ v: 1 }], { $sortByCount: 'v' }), /path of a field, such as/);
  });

  it('addFields and unset: into embedded documents, without changing shared values', async () => {
    const documents = [{ tags: ['a', 'b'], data: { n: 1, drop: 2 } }];
    assert.deepEqual(
      await runOn(
        documents,
        { $unwind: '$tags' },
        { $set: { 'data.tag': '$tags', data: { more: { $add: ['$data.n', 1] } } } },
        { $unset: ['data.drop', 'tags'] },
        { $sort: { 'data.tag': -1 } },
      ),
      [{ data: { n: 1, tag: 'b', more: 2 } }, { data: { n: 1, tag: 'a', more: 2 } }],
    );
    assert.deepEqual(documents, [{ tags: ['a', 'b'], data: { n: 1, drop: 2 } }]);
  });

  it('group: all accumulators, with missing values as null', async () => {
    const documents = [
      { k: 'a', v: 1, s: 'x' },
      { k: 'a', v: 3 },
      { k: 'a', v: 'text', s: null },
      { v: 10 },
      { k: null, v: 20 },
    ];
    const $group = {
      _id: '$k',
      sum: { $sum: '$v' },
      avg: { $avg: '$v' },
      min: { $min: '$v' },
      max: { $max: '$v' },
      n: { $sum: 1 },
      c: { $count: {} },
      first: { $first: '$s' },
      last: { $last: '$s' },
      all: { $push: '$s' },
      set: { $addToSet: '$v' },
      top: { $top: { output: '$v', sortBy: { v: -1 } } },
      two: { $firstN: { input: '$v', n: 2 } },
      sd: { $stdDevPop: '$v' },
    };
    assert.deepEqual(await runOn(documents, { $group }), [
      {
        _id: 'a',
        sum: 4,
        avg: 2,
        min: 1,
        max: 'text',
        n: 3,
        c: 3,
        first: 'x',
        last: null,
        all: ['x', null],
        set: [1, 3, 'text'],
        top: 'text',
        two: [1, 3],
        sd: 1,
      },
      {
        _id: null,
        sum: 30,
        avg: 15,
        min: 10,
        max: 20,
        n: 2,
        c: 2,
        first: null,
        last: null,
        all: [],
        set: [10, 20],
        top: 20,
        two: [10, 20],
        sd: 5,
      },
    ]);
    assert.deepEqual(await runOn([], { $group: { _id: null, n: { $sum: 1 } } }), []);
    assert.deepEqual(await runOn([{ a: 1 }, { a: null }, {}], { $group: { _id: { a: '$a' } } }), [
      { _id: { a: 1 } },
      { _id: { a: null } },
      { _id: {} },
    ]);
  });

  it('sort, skip, limit, count, sample, sortByCount', async () => {
    const documents = [3, 'b', null, 1, true, 2, 'a', undefined].map((v, n) => ({ n, v }));
    const order = async (direction: 1 | -1) =>
      (await runOn(documents, { $sort: { v: direction, n: 1 } })).map(({ n }) => n);
    assert.deepEqual(await order(1), [2, 7, 3, 5, 0, 6, 1, 4]);
    assert.deepEqual(await order(-1), [4, 1, 6, 0, 5, 3, 2, 7]);
    const many = Array.from({ length: 5000 }, (_, n) => ({ n: (n * 7919) % 5000 }));
    assert.deepEqual(await runOn(many, { $sort: { n: 1 } }, { $skip: 2 }, { $limit: 3 }), [
      { n: 2 },
      { n: 3 },
      { n: 4 },
    ]);
    assert.deepEqual(await runOn(many, { $skip: 4998 }), many.slice(4998));
    assert.deepEqual(await runOn(many, { $count: 'all' }), [{ all: 5000 }]);
    assert.deepEqual(await runOn([], { $count: 'all' }), []);
    const sample = await runOn(many, { $sample: { size: 20 } });
    assert.equal(new Set(sample.map(({ n }) => n)).size, 20);
    assert.deepEqual(await runOn([{ a: 1 }, { a: 2 }, { a: 2 }], { $sortByCount: '$a' }), [
      { _id: 2, count: 2 },
      { _id: 1, count: 1 },
    ]);
  });

  it('sort: empty arrays before null, and arrays by their smallest or largest element', async () => {
    const documents = [3, [], null, [5, 1], undefined, [[]], 'a'].map((v, n) => ({ n, v }));
    const sorted = async ($sort: object) =>
      (await runOn(documents, { $sort: { ...$sort, n: 1 } })).map(({ n }) => n);
    assert.deepEqual(await sorted({ v: 1 }), [1, 2, 4, 3, 0, 6, 5]);
    assert.deepEqual(await sorted({ v: -1 }), [5, 6, 3, 0, 2, 4, 1]);
    const lists = [[{ b: 2 }], [{ b: 3 }, {}], [], [{ b: [] }], [1, { b: 9 }], [{ b: 1 }]];
    const nested = lists.map((list, n) => ({ n, list }));
    const order = async (stage: Document) => (await runOn(nested, stage)).map(({ n }) => n);
    assert.deepEqual(await order({ $sort: { 'list.b': 1, n: 1 } }), [3, 1, 2, 4, 5, 0]);
    assert.deepEqual(await order({ $sort: { 'list.b': -1, n: 1 } }), [4, 1, 0, 5, 2, 3]);
    assert.deepEqual(await order({ $sort: { 'list.0.b': 1, n: 1 } }), [3, 2, 4, 5, 0, 1]);
    const sortBy = { 'list.b': 1, n: 1 };
    const position = { position: { $documentNumber: {} } };
    const numbered = await runOn(
      nested,
      { $setWindowFields: { sortBy, output: position } },
      { $sort: { position: 1 } },
    );
    assert.deepEqual(
      numbered.map(({ n }) => n),
      [3, 1, 2, 4, 5, 0],
    );
    const $fill = { sortBy, output: { n: { value: 0 } } };
    assert.deepEqual(await order({ $fill }), [3, 1, 2, 4, 5, 0]);
  });

  it('unwind: elements, their indexes, and documents without elements', async () => {
    const documents = [{ n: 1, t: ['a', 'b'] }, { n: 2, t: [] }, { n: 3 }, { n: 4, t: 'c' }];
    assert.deepEqual(await runOn(documents, { $unwind: '$t' }), [
      { n: 1, t: 'a' },
      { n: 1, t: 'b' },
      { n: 4, t: 'c' },
    ]);
    const $unwind = { path: '$t', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true };
    assert.deepEqual(await runOn(documents, { $unwind }), [
      { n: 1, t: 'a', i: 0 },
      { n: 1, t: 'b', i: 1 },
      { n: 2, i: null },
      { n: 3, i: null },
      { n: 4, t: 'c', i: null },
    ]);
  });

  it('replaceRoot, replaceWith and redact', async () => {
    const documents = [{ a: { level: 1, b: { level: 9 }, list: [{ level: 9 }, { level: 2 }] } }];
    const $redact = { $cond: [{ $gt: ['$level', 5] }, '$$PRUNE', '$$DESCEND'] };
    assert.deepEqual(await runOn(documents, { $replaceRoot: { newRoot: '$a' } }, { $redact }), [
      { level: 1, list: [{ level: 2 }] },
    ]);
    assert.deepEqual(await runOn(documents, { $replaceWith: { x: '$a.level' } }), [{ x: 1 }]);
    const failing = runOn([{ a: 1 }], { $replaceWith: '$a' });
    await assert.rejects(failing, /stage 1 \(\$replaceWith\): the new root/);
  });

  it('bucket and bucketAuto', async () => {
    const documents = [1, 2, 5, 9, 12, null].map((v) => ({ v }));
    const $bucket = { groupBy: '$v', boundaries: [0, 5, 8, 10], default: 'other' };
    assert.deepEqual(
      await runOn(documents, { $bucket }),
      [
        { _id: 0, count: 2 },
        { _id: 5, count: 1 },
        { _id: 8, count: 1 },
        { _id: 'other', count: 2 },
      ].toSorted((a, b) => Number(typeof a._id === 'string') - Number(typeof b._id === 'string')),
    );
    const strict = { ...$bucket, default: undefined };
    await assert.rejects(runOn(documents, { $bucket: strict }), /stage 1 \(\$bucket\): a value is/);
    const output = { n: { $sum: 1 }, mean: { $avg: '$v' } };
    assert.deepEqual(
      await runOn(
        [1, 2, 3, 4].map((v) => ({ v })),
        {
          $bucketAuto: { groupBy: '$v', buckets: 2, output },
        },
      ),
      [
        { _id: { min: 1, max: 3 }, n: 2, mean: 1.5 },
        { _id: { min: 3, max: 4 }, n: 2, mean: 3.5 },
      ],
    );
    assert.deepEqual(await runOn([], { $bucketAuto: { groupBy: '$v', buckets: 2 } }), []);
  });

  it('bucketAuto: values of all types, the accumulators of group, and series of numbers', async () => {
    const values = ['b', null, 7, undefined, true, 7, [1], 3];
    const documents = values.map((v, n) => (v === undefined ? { n } : { n, v }));
    const output = {
      list: { $push: '$v' },
      first: { $first: '$n' },
      two: { $topN: { n: 2, sortBy: { n: -1 }, output: '$n' } },
      merged: { $mergeObjects: { n: '$n', v: '$v' } },
    };
    assert.deepEqual(
      await runOn(documents, { $bucketAuto: { groupBy: '$v', buckets: 3, output } }),
      [
        {
          _id: { min: null, max: 7 },
          list: [null, 3],
          first: 1,
          two: [7, 3],
          merged: { n: 7, v: 3 },
        },
        {
          _id: { min: 7, max: [1] },
          list: [7, 7, 'b'],
          first: 2,
          two: [5, 2],
          merged: { n: 0, v: 'b' },
        },
        {
          _id: { min: [1], max: true },
          list: [[1], true],
          first: 6,
          two: [6, 4],
          merged: { n: 4, v: true },
        },
      ],
    );
    const buckets = async (numbers: number[], granularity: string, n = 2): Promise<unknown[]> =>
      (
        await runOn(
          numbers.map((v) => ({ v })),
          { $bucketAuto: { groupBy: '$v', buckets: n, granularity } },
        )
      ).map(({ _id, count }) => [...Object.values(_id as Record<string, unknown>), count]);
    assert.deepEqual(await buckets([1, 3, 5, 9, 17], 'POWERSOF2'), [
      [0.5, 8, 3],
      [8, 32, 2],
    ]);
    assert.deepEqual(await buckets([0, 0, 0, 5, 6], 'POWERSOF2', 5), [
      [0, 4, 3],
      [4, 8, 2],
    ]);
    assert.deepEqual(await buckets([12, 20, 30, 70], 'R5'), [
      [10, 25, 2],
      [25, 100, 2],
    ]);
    // The example of MongoDB's manual, with the numbers from 0 to 99.
    const hundred = Array.from({ length: 100 }, (_, n) => n);
    assert.deepEqual(await buckets(hundred, 'R20', 5), [
      [0, 20, 20],
      [20, 40, 20],
      [40, 63, 23],
      [63, 90, 27],
      [90, 100, 10],
    ]);
    assert.deepEqual(await buckets(hundred, 'E24', 5), [
      [0, 20, 20],
      [20, 43, 23],
      [43, 68, 25],
      [68, 91, 23],
      [91, 100, 9],
    ]);
    assert.deepEqual(await buckets(hundred, '1-2-5', 5), [
      [0, 20, 20],
      [20, 50, 30],
      [50, 100, 50],
    ]);
    assert.deepEqual(await buckets(hundred, 'POWERSOF2', 5), [
      [0, 32, 32],
      [32, 64, 32],
      [64, 128, 36],
    ]);
    const negative = { groupBy: '$v', buckets: 2, granularity: 'R5' };
    await assert.rejects(runOn([{ v: -1 }], { $bucketAuto: negative }), /not negative/);
    await assert.rejects(runOn([{ v: Infinity }], { $bucketAuto: negative }), /not negative/);
  });

  it('densify: numbers by partition, dates by unit', async () => {
    const coffee = [
      ...[600, 750, 950].map((altitude) => ({ kind: 'typica', altitude })),
      ...[1250, 1700].map((altitude) => ({ kind: 'gesha', altitude })),
    ];
    const densify = async (bounds: unknown) =>
      (
        await runOn(coffee, {
          $densify: {
            field: 'altitude',
            partitionByFields: ['kind'],
            range: { bounds, step: 200 },
          },
        })
      ).map(({ kind, altitude }) => [kind, altitude]);
    assert.deepEqual(await densify('partition'), [
      ...[600, 750, 800, 950].map((altitude) => ['typica', altitude]),
      ...[1250, 1450, 1650, 1700].map((altitude) => ['gesha', altitude]),
    ]);
    assert.deepEqual(await densify('full'), [
      ...[600, 750, 800, 950, 1000, 1200, 1400, 1600].map((altitude) => ['typica', altitude]),
      ...[600, 800, 1000, 1200, 1250, 1400, 1600, 1700].map((altitude) => ['gesha', altitude]),
    ]);
    const $densify = {
      field: 'at',
      range: { step: 8, unit: 'hour', bounds: [day('05-18T00:00'), day('05-18T16:00')] },
    };
    assert.deepEqual(await runOn([{ at: day('05-18T00:00'), v: 1 }], { $densify }), [
      { at: day('05-18T00:00'), v: 1 },
      { at: day('05-18T08:00') },
    ]);
    const far = { field: 'v', range: { step: 1e-6, bounds: [0, 1e6] } };
    await assert.rejects(runOn([{ v: 1 }], { $densify: far }), /500000 documents/);
  });

  it('fill: a value, the previous one, linear interpolation', async () => {
    const documents = [
      { t: 3, p: 'a', v: 4 },
      { t: 1, p: 'a', v: 1 },
      { t: 2, p: 'a', v: null },
      { t: 1, p: 'b' },
      { t: 2, p: 'b', v: 7 },
    ];
    const fill = async (field: object) =>
      (
        await runOn(documents, {
          $fill: { sortBy: { t: 1 }, partitionBy: '$p', output: { v: field } },
        })
      ).map(({ v }) => v);
    assert.deepEqual(await fill({ method: 'linear' }), [1, 2.5, 4, null, 7]);
    assert.deepEqual(await fill({ method: 'locf' }), [1, 1, 4, null, 7]);
    assert.deepEqual(await fill({ value: 0 }), [1, 0, 4, 0, 7]);
  });

  it('setWindowFields: over documents, time ranges, and partitions', async () => {
    const documents = [
      { p: 'a', t: day('01-01T00:00'), data: { v: 1 } },
      { p: 'a', t: day('01-01T00:30'), data: { v: 3 } },
      { p: 'a', t: day('01-01T02:00'), data: { v: 4 } },
      { p: 'b', t: day('01-01T00:00'), data: { v: 9 } },
    ];
    const results = await runOn(documents, {
      $setWindowFields: {
        partitionBy: '$p',
        sortBy: { t: 1 },
        output: {
          'data.sum': { $sum: '$data.v', window: { documents: ['unbounded', 'current'] } },
          hour: { $avg: '$data.v', window: { range: [-1, 0], unit: 'hour' } },
          rank: { $documentNumber: {} },
          before: { $shift: { output: '$data.v', by: -1, default: 0 } },
        },
      },
    });
    assert.deepEqual(
      results.map(({ p, data, hour, rank, before }) => ({ p, data, hour, rank, before })),
      [
        { p: 'a', data: { v: 1, sum: 1 }, hour: 1, rank: 1, before: 0 },
        { p: 'a', data: { v: 3, sum: 4 }, hour: 2, rank: 2, before: 1 },
        { p: 'a', data: { v: 4, sum: 8 }, hour: 4, rank: 3, before: 3 },
        { p: 'b', data: { v: 9, sum: 9 }, hour: 9, rank: 1, before: 0 },
      ],
    );
    assert.deepEqual(documents[0]?.data, { v: 1 });
  });

  it('geoNear: by distance in meters, within limits', async () => {
    const documents = [
      { name: 'far', at: { type: 'Point', coordinates: [13.4, 52.5] } },
      { name: 'near', at: [9.99, 53.55] },
      { name: 'none' },
      { name: 'out', at: { latitude: 40.7, longitude: -74, altitude: 3 } },
    ];
    const $geoNear = {
      near: { type: 'Point', coordinates: [10, 53.55] },
      key: 'at',
      distanceField: 'away',
      minDistance: 10,
      maxDistance: 1_000_000,
      spherical: true,
    };
    const results = await runOn(documents, { $geoNear });
    assert.deepEqual(
      results.map(({ name, away }) => [name, Math.round(Number(away) / 100)]),
      [
        ['near', 7],
        ['far', 2559],
      ],
    );
    const keyless = { ...$geoNear, key: undefined };
    await assert.rejects(runOn(documents, { $geoNear: keyless }), /stage 1 \(\$geoNear\): .*key/);
  });
});
