import assert from 'node:assert/strict';
import { Double, Int32, serialize } from 'bson';
import { decodeStages } from '../../../../../../src/service/query/process/pipeline/decodeStages';
import { Expressions } from '../../../../../../src/service/query/process/pipeline/expressions';
import { planPipeline } from '../../../../../../src/service/query/process/pipeline/pushdown/planPipeline';
import { selectSql } from '../../../../../../src/service/query/process/pipeline/pushdown/selection';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { type PipelineFixture, pipelineFixture } from './pipelineFixture';

const SHAPE = {
  readings: { t: 'DOUBLE', label: 'VARCHAR', mixed: 'JSON', list: ['DOUBLE'], at: { x: 'BIGINT' } },
} as const;

/**
 * Returns the SQL of the stages that are pushed down, the fields that they select, and the
 * remaining stages.
 */
function plan(...stages: Document[]) {
  const decoded = decodeStages(stages.map((stage) => serialize(stage)));
  const { selection, stages: left } = planPipeline(decoded, { shape: SHAPE }, new Expressions());
  return {
    left: left.map(({ name, spec }) => ({ [name]: spec })),
    fields: [...selection.fields.keys()],
    sql: selectSql(selection, ['x']),
  };
}

describe('the SQL part of a pipeline', () => {
  it('filters, groups, sorts, and limits', () => {
    const hour = { $dateTrunc: { date: '$time_received', unit: 'hour' } };
    const { left } = plan(
      { $match: { component_name: 'x', 'data.readings.t': { $gt: 20 }, tags: 'hot' } },
      { $addFields: { hour } },
      { $group: { _id: { r: '$robot_id', h: '$hour' }, mean: { $avg: '$data.readings.t' } } },
      { $match: { mean: { $lt: 5 } } },
      { $project: { _id: 0, robot: '$_id.r', mean: 1 } },
      { $sort: { mean: -1 } },
      { $skip: 5 },
      { $limit: 10 },
    );
    assert.deepEqual(left, []);
    assert.deepEqual(plan({ $sort: { 'data.readings.at.x': 1 } }, { $count: 'n' }).left, []);
    assert.deepEqual(plan({ $sortByCount: '$data.readings.label' }).left, []);
    const latest = [
      { $sort: { time_received: -1 } },
      { $group: { _id: '$component_name', data: { $first: '$data' } } },
    ];
    assert.deepEqual(plan(...latest).left, []);
    const last = [
      { $sort: { time_received: 1 } },
      { $group: { _id: '$component_name', reading: { $last: '$$ROOT' } } },
      { $replaceRoot: { newRoot: '$reading' } },
    ];
    assert.deepEqual(plan(...last).left, []);
    const yesterday = { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: 1 } };
    const recent = { $match: { $expr: { $gte: ['$time_received', yesterday] } } };
    assert.deepEqual(plan(recent).left, []);
  });

  it('contains no members of JavaScript objects', () => {
    for (const name of ['constructor', 'toString', 'valueOf', 'isPrototypeOf']) {
      const id = { [name]: '$time_received' };
      assert.doesNotMatch(plan({ $group: { _id: id } }).sql, /native code|object|undefined/i, name);
      const match = { $match: { $expr: { [name]: ['$data.readings.t', 1] } } };
      assert.equal(plan(match).left.length, 1);
    }
  });

  it('ignores comments, and samples the documents that are left', () => {
    const count = { $count: 'n' };
    const commented = { component_name: { $eq: 'x', $comment: 'why' }, $comment: 'more' };
    assert.deepEqual(plan({ $match: commented }, count).left, []);
    assert.deepEqual(plan({ $match: { $or: [{ ...commented, robot_id: 'r' }] } }, count).left, []);
    const inMemory = { 'data.readings.list': { $size: 2 } };
    const rate = { $sampleRate: 0.5 };
    const match = { ...rate, component_name: 'x', ...inMemory, tags: { $size: 1 } };
    assert.deepEqual(plan({ $match: match }).left, [
      { $match: { ...rate, $and: [inMemory, { tags: { $size: 1 } }] } },
    ]);
    assert.deepEqual(plan({ $match: { ...rate, component_name: 'x' } }).left, [{ $match: rate }]);
  });

  it('excludes stages that SQL cannot run exactly, and filters before them', () => {
    const { left, sql } = plan(
      { $match: { robot_id: 'r', 'data.readings.mixed': 5, $or: [{ tags: /x$/ }] } },
      { $limit: 1 },
    );
    assert.deepEqual(left, [
      { $match: { $and: [{ 'data.readings.mixed': 5 }, { $or: [{ tags: /x$/ }] }] } },
      { $limit: 1 },
    ]);
    assert.match(sql, /WHERE [(]+robot_id = 'r'[)]+$/);
    for (const stage of [
      { $match: { 'data.readings.list': 5 } },
      { $match: { 'data.unknown': 5 } },
      { $match: { robot_id: /r/ } },
      { $sort: { tags: 1 } },
      { $group: { _id: '$data.readings.mixed' } },
      { $group: { _id: null, all: { $push: '$data.readings.t' } } },
      { $group: { _id: null, first: { $first: '$data.readings.t' } } },
      { $project: { x: { $sqrt: '$data.readings.t' } } },
      { $unwind: '$tags' },
    ]) {
      assert.equal(plan(stage).left.length, 1, JSON.stringify(stage));
    }
  });

  it('reads only the required columns', () => {
    const computed = { $project: { x: { $concat: ['$robot_id', '-', '$part_id'] } } };
    assert.deepEqual(plan(computed).fields, ['robot_id', 'part_id']);
    assert.equal(plan({ $unwind: '$tags' }).fields.length, 12);
    const whole = { $group: { _id: null, all: { $push: '$$ROOT' } } };
    assert.equal(plan(whole).fields.length, 12);
  });
});

describe('results of pipelines', () => {
  let fixture: PipelineFixture;

  before(async () => {
    fixture = await pipelineFixture([
      { time: '2026-01-01T00:00:00.000500Z', data: { readings: { t: 1, label: 'a' } } },
      { time: '2026-01-01T00:00:00.000900Z', data: { readings: { t: 2.5 } }, tags: ['x'] },
      { time: '2026-01-01T00:00:00.001Z', data: { readings: { t: null, label: 'é' } } },
    ]);
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('have BSON types that match the stages, regardless of the values', async () => {
    const group = {
      $group: {
        _id: { hour: { $hour: '$time_received' } },
        n: { $sum: 1 },
        sum: { $sum: '$data.readings.t' },
        min: { $min: '$data.readings.t' },
        at: { $max: '$time_received' },
      },
    };
    const expected = {
      _id: { hour: new Int32(0) },
      n: new Int32(3),
      sum: new Double(3.5),
      min: new Double(1),
      at: new Date('2026-01-01T00:00:00.001Z'),
    };
    assert.deepEqual(await fixture.runTyped([group]), [expected]);
    const computed = { $addFields: { more: { $add: ['$n', 1] }, half: { $divide: ['$n', 3] } } };
    assert.deepEqual(await fixture.runTyped([group, computed]), [
      { ...expected, more: new Int32(4), half: new Double(1) },
    ]);
    const size = { $project: { _id: 0, size: { $size: '$tags' }, t: '$data.readings.t' } };
    assert.deepEqual((await fixture.runTyped([size]))[0], { size: new Int32(0), t: new Double(1) });
  });

  it('report all numbers of readings as doubles', async () => {
    const type = {
      $project: { _id: 0, t: { $type: '$data.readings.t' }, n: { $type: { $size: '$tags' } } },
    };
    assert.deepEqual(await fixture.run([type]), [
      { t: 'double', n: 'int' },
      { t: 'double', n: 'int' },
      { t: 'null', n: 'int' },
    ]);
    for (const type of ['double', 1, ['double', 'string'], 'number']) {
      const matching = { $match: { 'data.readings.t': { $type: type } } };
      assert.deepEqual(await fixture.run([matching, { $count: 'n' }]), [{ n: 2 }]);
    }
  });

  it('have timestamps in milliseconds, also before 1970', async () => {
    const time = '1969-12-31T23:59:59.9995Z';
    await using early = await pipelineFixture([{ time, data: {} }]);
    const at = { $project: { _id: 0, at: '$time_received' } };
    assert.deepEqual(await early.run([at]), [{ at: new Date(-1) }]);
    assert.deepEqual(await early.run([{ $match: { time_received: new Date(-1) } }, at]), [
      { at: new Date(-1) },
    ]);
  });

  it('compare timestamps in whole milliseconds, like BSON dates', async () => {
    const at = new Date('2026-01-01T00:00:00.000Z');
    const count = async (time_received: unknown): Promise<unknown> =>
      (await fixture.run([{ $match: { time_received } }, { $count: 'n' }]))[0]?.n;
    assert.equal(await count(at), 2);
    assert.equal(await count({ $lte: at }), 2);
    assert.equal(await count({ $gt: at }), 1);
    assert.equal(await count({ $gte: at }), 3);
    assert.equal(await count({ $lt: at }), undefined);
    assert.equal(await count({ $in: [at, null] }), 2);
  });

  it('are compared with fields of the document that $getField reads', async () => {
    await using named = await pipelineFixture([
      { component_name: 'same', robot_id: 'same', data: {} },
      { component_name: 'sensor', robot_id: 'robot', data: {} },
    ]);
    const names = [{ $getField: 'robot_id' }, { $getField: { field: 'robot_id' } }];
    for (const name of names) {
      const value = { $ifNull: [name, 'sensor'] };
      const matching = { $match: { $expr: { $eq: ['$component_name', value] } } };
      assert.deepEqual(
        await named.run([matching, { $project: { _id: 0, robot_id: 1 } }]),
        [{ robot_id: 'same' }],
        JSON.stringify(name),
      );
    }
  });

  it('distinguish null from missing', async () => {
    const project = { $project: { t: '$data.readings.t', label: '$data.readings.label' } };
    assert.deepEqual(await fixture.run([project]), [
      { t: 1, label: 'a' },
      { t: 2.5 },
      { t: null, label: 'é' },
    ]);
    const path = 'data.readings.label';
    assert.equal((await fixture.run([{ $match: { [path]: { $exists: true } } }])).length, 2);
    assert.equal((await fixture.run([{ $match: { [path]: null } }])).length, 1);
  });
});
