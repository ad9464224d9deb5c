import assert from 'node:assert/strict';
import { Code as BsonCode, Decimal128, Long, serialize } from 'bson';
import { Code } from '@connectrpc/connect';
import { JobError } from '../../../../../../src/service/query/process/jobError';
import { decodeStages } from '../../../../../../src/service/query/process/pipeline/decodeStages';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { runOn } from './runOn';

async function assertRejected(stages: readonly Document[], pattern: RegExp): Promise<void> {
  await assert.rejects(runOn([{ a: 1, text: 'x' }], ...stages), (error) => {
    assert.ok(error instanceof JobError, String(error));
    assert.equal(error.code, Code.InvalidArgument);
    assert.match(error.message, pattern);
    return true;
  });
}

function nested(depth: number): Document {
  return depth === 0 ? { a: 1 } : { $and: [nested(depth - 1)] };
}

describe('hostile and invalid pipelines', () => {
  it('are rejected when they contain code', async () => {
    const code = new BsonCode('function () { return true; }');
    await assertRejected([{ $match: { $where: code } }], /stage 1 \(\$match\): .*not supported/);
    await assertRejected([{ $match: { $or: [{ a: 1 }, { $where: 'true' }] } }], /\$where/);
    const $function = { body: 'function () { return 1; }', args: [], lang: 'js' };
    await assertRejected([{ $project: { x: { $function } } }], /stage 1 \(\$project\): \$function/);
    const $accumulator = { init: code, accumulate: code, accumulateArgs: [], merge: code };
    await assertRejected([{ $group: { _id: 1, x: { $accumulator } } }], /\$accumulator/);
    const output = { x: { $function } };
    await assertRejected([{ $setWindowFields: { output } }], /\$function/);
    await assertRejected([{ $match: { x: code } }], /JavaScript code/);
  });

  it('treat the name of a property of `Object.prototype` like any unknown name', async () => {
    const groups = { $group: { _id: null, x: { constructor: 1 } } };
    await assertRejected([groups], /x must have exactly one accumulator/);
    const buckets = { $bucketAuto: { groupBy: '$a', buckets: 1, output: { x: { toString: 1 } } } };
    await assertRejected([buckets], /x must have exactly one accumulator/);
    const output = { x: { constructor: 1 } };
    await assertRejected(
      [{ $setWindowFields: { sortBy: { a: 1 }, output } }],
      /x must have exactly one operator/,
    );
    const projected = await runOn([{ a: 1 }], { $project: { _id: 0, 'constructor.a': '$a' } });
    assert.deepEqual(JSON.stringify(projected), '[{"constructor":{"a":1}}]');
  });

  it('are rejected when they read other collections', async () => {
    for (const name of ['$out', '$merge', '$collStats', '$documents']) {
      await assertRejected(
        [{ $limit: 1 }, { [name]: {} }],
        new RegExp(`stage 2 \\(\\${name}\\): .*these stages are`),
      );
    }
    const other = { $lookup: { from: 'users', localField: 'a', foreignField: 'a', as: 'b' } };
    await assertRejected([other], /from must be "readings"/);
    await assertRejected([{ $facet: { a: [other] } }], /its stage 1 \(\$lookup\): from must be/);
    await assertRejected(
      [{ $unionWith: { coll: 'readings', pipeline: [{ $out: 'x' }] } }],
      /\$out/,
    );
    await assertRejected([{ $unionWith: 'system.users' }], /coll must be "readings"/);
  });

  it('are rejected when nested pipelines contain code', async () => {
    const $where = 'true';
    const $function = { body: 'function () { return 1; }', args: [], lang: 'js' };
    for (const inner of [{ $match: { $where } }, { $project: { x: { $function } } }]) {
      await assertRejected([{ $facet: { a: [inner] } }], /not supported/);
      await assertRejected(
        [{ $unionWith: { coll: 'readings', pipeline: [inner] } }],
        /not supported/,
      );
      const $lookup = { from: 'readings', pipeline: [{ $facet: { a: [inner] } }], as: 'x' };
      await assertRejected([{ $lookup }], /not supported/);
    }
    const pipeline = [{ $documents: [{ x: { $function } }] }];
    await assertRejected([{ $unionWith: { pipeline } }], /not supported/);
    const variables = { from: 'readings', let: { v: { $function } }, pipeline: [], as: 'x' };
    await assertRejected([{ $lookup: variables }], /not supported/);
  });

  it('have no access to properties of all objects', async () => {
    const proto = JSON.parse('{"__proto__": {"polluted": 1}}') as Document;
    await assertRejected([{ $addFields: proto }], /__proto__/);
    await assertRejected([{ $addFields: { 'a.__proto__.polluted': 1 } }], /__proto__/);
    await assertRejected([{ $project: { x: '$a.__proto__' } }], /__proto__/);
    await assertRejected([{ $group: { _id: '$__proto__' } }], /__proto__/);
    const field = { $concat: ['__pro', 'to__'] };
    const [document] = await runOn(
      [{ a: {}, list: [{ k: 'x', v: 1 }] }],
      {
        $addFields: {
          p: { $getField: { field, input: '$a' } },
          c: { $getField: 'constructor' },
          made: { $arrayToObject: [[{ k: field, v: { polluted: 1 } }]] },
          set: { $setField: { field, input: '$a', value: { polluted: 1 } } },
        },
      },
      { $addFields: { 'p.polluted': 1, 'made.deep.polluted': 1 } },
    );
    assert.equal(document?.c, undefined);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(Reflect.get(Object.prototype, 'polluted'), undefined);
  });

  it('are rejected when they are too long or nested too deeply', async () => {
    assert.throws(
      () => decodeStages(Array.from({ length: 101 }, () => serialize({ $limit: 1 }))),
      /101 stages; the maximum is 100/,
    );
    await assertRejected([{ $match: nested(60) }], /nested deeper/);
    assert.equal((await runOn([{ a: 1 }], { $match: nested(20) })).length, 1);
  });

  it('are rejected with the invalid stage before any document is read', async () => {
    const limit = { $limit: 1 };
    for (const [stage, expected] of [
      [{ $match: { a: { $near: 1 } } }, /unknown query operator \$near/],
      [{ $match: 'a' }, /must be a document/],
      [{ $match: { $expr: { $frob: 1 } } }, /unknown expression operator \$frob/],
      [{ $sort: {} }, /1 to 32 fields/],
      [{ $sort: { a: 'up' } }, /direction of a/],
      [{ $limit: -1 }, /whole number of at least 1/],
      [{ $skip: 1.5 }, /whole number of at least 0/],
      [{ $project: {} }, /must name at least one field/],
      [{ $project: { a: 1, b: 0 } }, /either included/],
      [{ $project: { a: 1, 'a.b': 1 } }, /named twice/],
      [{ $group: { _id: 1, x: 5 } }, /x must be a document/],
      [{ $group: { _id: 1, x: { $frob: 1 } } }, /exactly one accumulator/],
      [{ $group: { _id: 1, 'x.y': { $sum: 1 } } }, /can't be the name/],
      [{ $unwind: 'tags' }, /must begin with \$/],
      [{ $unwind: { path: '$a', extra: 1 } }, /unknown option extra/],
      [{ $count: '$n' }, /without \$ and dots/],
      [{ $bucket: { groupBy: '$a', boundaries: [3, 1] } }, /ascending/],
      [{ $sample: { size: 0 } }, /size must be/],
      [{ $fill: { output: { a: { method: 'guess' } } } }, /sortBy/],
      [{ $densify: { field: 'a', range: { step: 0, bounds: 'full' } } }, /range.step/],
      [{ $setWindowFields: { output: { a: { $sum: 1, $avg: 1 } } } }, /exactly one operator/],
      [{ $geoNear: { near: [1, 2], key: 'a' } }, /only be the first/],
      [{ $addFields: { 'a..b': 1 } }, /not the name of a field/],
    ] as const) {
      const name = Object.keys(stage)[0] ?? '';
      await assertRejected(
        [limit, stage],
        new RegExp(`^stage 2 \\(\\${name}\\): .*${expected.source}`),
      );
    }
  });

  it('are rejected with the stage that found an unusable value', async () => {
    await assertRejected(
      [{ $project: { x: { $year: '$text' } } }],
      /^stage 1 \(\$project\): a date/,
    );
    await assertRejected(
      [{ $project: { x: { $divide: ['$text', 2] } } }],
      /^stage 1 \(\$project\): /,
    );
    await assertRejected(
      [{ $limit: 1 }, { $match: { $expr: { $strLenCP: '$a' } } }],
      /^stage 2 \(\$match\)/,
    );
    const timezone = 'Mars/Olympus';
    await assertRejected(
      [{ $project: { x: { $hour: { date: new Date(), timezone } } } }],
      /unknown time zone/,
    );
  });

  it('accept numbers and patterns in all BSON types', async () => {
    const documents = [{ a: 5, s: 'Alpha' }];
    const count = async (condition: Document): Promise<number> =>
      (await runOn(documents, { $match: condition })).length;
    assert.equal(await count({ a: Long.fromNumber(5) }), 1);
    assert.equal(await count({ a: { $lt: Decimal128.fromString('5.5') } }), 1);
    assert.equal(await count({ s: /^alpha$/i }), 1);
    assert.equal(await count({ s: { $regex: '^ALPHA', $options: 'i' } }), 1);
    assert.equal(await count({ s: { $in: [/^b/, /ha$/] } }), 1);
    await assertRejected([{ $match: { s: { $regex: '(' } } }], /stage 1 \(\$match\)/);
  });
});
