import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import type { Random } from '../../../../../support/seededRandom';
import type { TestReading } from './pipelineFixture';

/**
 * Returns readings with all kinds of values: null, missing values, values of different types, and
 * arrays.
 */
export function randomReadings(random: Random, count: number): TestReading[] {
  return Array.from({ length: count }, (_, index) => ({
    component_name: one(random, ['thermometer', 'gps', 'caméra', 'z']),
    robot_id: one(random, ['r1', 'r2', 'r3']),
    time: `2026-0${String(1 + Math.floor(random() * 4))}-1${String(index % 10)}T1${String(index % 7)}:0${String(index % 9)}:15.123${one(random, ['000', '456', '999'])}Z`,
    tags: TAGS.filter(() => random() < 0.4),
    data: { readings: { number: index, ...readingValues(random) } },
  }));
}

const TAGS = ['hot', 'cold', "it's"];

function readingValues(random: Random): Document {
  const values: Document = {
    temperature: one(random, [null, 20, 20.5, -3, 21.25, 1e6]),
    label: one(random, ['a', 'b', "o'brien", '', 'ünïcode', null]),
    on: one(random, [true, false, null]),
    mixed: one<unknown>(random, [1, 'one', true, null, { deep: 1 }, [1, 2]]),
    list: one(random, [[], [1, 2], [3]]),
    position: one<unknown>(random, [{ x: 1, y: 2.5 }, { x: -1 }, {}, null]),
    'with.dot': 1,
  };
  return Object.fromEntries(Object.entries(values).filter(() => random() < 0.8));
}

/** Returns a pipeline with stages that can be pushed down to SQL and stages that can't. */
export function randomPipeline(random: Random): Document[] {
  const makers = [
    matchStage,
    matchStage,
    projectStage,
    addStage,
    sortStage,
    groupStage,
    otherStage,
    joinStage,
  ];
  const stages = random() < 0.3 ? firstStages(random) : [];
  const length = 1 + Math.floor(random() * 4);
  for (let count = 0; count < length; count++) {
    stages.push(one(random, makers)(random));
  }
  return stages;
}

function one<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

const TIMESTAMP = new Date('2026-02-14T13:05:15.123Z');
const SCALARS = [
  'component_name',
  'robot_id',
  'data.readings.temperature',
  'data.readings.label',
  'data.readings.on',
  'data.readings.position.x',
];
const NUMBERS = ['data.readings.temperature', 'data.readings.position.x', 'data.readings.number'];
const PATHS = [
  ...SCALARS,
  ...['time_received', 'tags', 'data.readings.mixed', 'data.readings.list', 'data.readings'],
  ...['data.readings.none', 'nothing', 't', '_id', '_id.c', 'n'],
];
const VALUES: readonly unknown[] = [
  ...[
    20,
    20.5,
    -3,
    0,
    'a',
    "o'brien",
    '',
    'thermometer',
    true,
    false,
    null,
    TIMESTAMP,
    'hot',
    'r2',
    1,
  ],
];

function matchStage(random: Random): Document {
  return { $match: condition(random, 2) };
}

function condition(random: Random, depth: number): Document {
  if (depth > 0 && random() < 0.3) {
    const list = [condition(random, depth - 1), condition(random, depth - 1)];
    return { [one(random, ['$and', '$or', '$nor'])]: list };
  }
  return { [one(random, PATHS)]: test(random, depth) };
}

function test(random: Random, depth: number): unknown {
  const value = one(random, VALUES);
  const list = [one(random, VALUES), one(random, VALUES)];
  const range = one(random, ['$gt', '$gte', '$lt', '$lte']);
  return one<() => unknown>(random, [
    () => value,
    () => ({ [one(random, ['$eq', '$ne'])]: value }),
    () => ({ [range]: value ?? 20 }),
    () => ({ $gte: 0, [range]: 20.5 }),
    () => ({ [range]: null }),
    () => ({ $all: list }),
    () => ({ $mod: [4, 0] }),
    () => ({ $in: [[1, 2], value] }),
    () => ({ [one(random, ['$in', '$nin'])]: list }),
    () => ({ $exists: random() < 0.5 }),
    () => (depth > 0 ? { $not: { [range]: value ?? 'a' } } : value),
    () => /^th/,
    () => ({ $regex: '^[a-m]' }),
  ])();
}

/** Returns a pipeline for use within a stage. The pipeline sorts its documents. */
function subpipeline(random: Random, ...first: readonly Document[]): Document[] {
  return [
    ...first,
    ...(random() < 0.5 ? [matchStage(random)] : []),
    { $sort: { [one(random, SCALARS)]: 1, 'data.readings.number': one(random, [1, -1]) } },
    ...(random() < 0.5 ? [{ $limit: 1 + Math.floor(random() * 4) }] : []),
    {
      $project: { _id: 0, p: '$component_name', n: '$data.readings.number', c: expression(random) },
    },
  ];
}

/** Returns a stage that reads the readings again or sends them through multiple pipelines. */
function joinStage(random: Random): Document {
  const field = (): string => one(random, SCALARS);
  const condition = { [one(random, ['$eq', '$lt', '$gte'])]: [`$${field()}`, '$$v'] };
  const order = one(random, ['$lt', '$gt']);
  return one<() => Document>(random, [
    () => ({
      $lookup: {
        from: 'readings',
        as: one(random, ['joined', 'data.joined']),
        localField: one(random, PATHS),
        foreignField: field(),
        ...(random() < 0.5 ? { pipeline: subpipeline(random) } : { pipeline: [{ $limit: 2 }] }),
      },
    }),
    () => ({
      $lookup: {
        from: 'readings',
        as: 'joined',
        let: { v: `$${field()}`, t: '$time_received' },
        pipeline: subpipeline(random, {
          $match: { $expr: { $and: [condition, { [order]: ['$time_received', '$$t'] }] } },
        }),
      },
    }),
    () => ({
      $lookup: {
        from: 'readings',
        as: 'joined',
        let: { v: `$${one(random, PATHS)}` },
        pipeline: subpipeline(
          random,
          { $match: { 'data.readings.number': { $lt: 9 } } },
          { $addFields: { c: { $eq: ['$$v', `$${field()}`] } } },
        ),
      },
    }),
    () => ({ $lookup: { from: 'readings', as: 'joined', pipeline: subpipeline(random) } }),
    () => ({ $unionWith: { coll: 'readings', pipeline: subpipeline(random) } }),
    () => ({
      $facet: {
        a: subpipeline(random),
        b: [{ $group: { _id: `$${field()}`, n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
        c: [{ $count: 'n' }],
      },
    }),
  ])();
}

function expression(random: Random): unknown {
  return one<() => unknown>(random, [
    () => `$${one(random, PATHS)}`,
    () => `$${one(random, SCALARS)}`,
    () => ({ $literal: one(random, VALUES) }),
    () => ({
      [one(random, ['$year', '$month', '$dayOfWeek', '$hour', '$second'])]: '$time_received',
    }),
    () => ({
      $dateTrunc: {
        date: '$time_received',
        unit: one(random, ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second']),
        ...(random() < 0.4 ? { binSize: one(random, [2, 3, 15]) } : {}),
        ...(random() < 0.3 ? { startOfWeek: one(random, ['monday', 'sat']) } : {}),
        ...(random() < 0.3 ? { timezone: one(random, ['UTC', 'Europe/Berlin']) } : {}),
      },
    }),
    () => ({ $dateToString: { date: '$time_received', format: '%Y-%m-%d %H:%M' } }),
    () => ({
      [one(random, ['$add', '$multiply', '$subtract'])]: [
        `$${one(random, NUMBERS)}`,
        one<unknown>(random, [2, 0.5, `$${one(random, NUMBERS)}`]),
      ],
    }),
    () => ({ $ifNull: [`$${one(random, PATHS)}`, 7] }),
  ])();
}

function projectStage(random: Random): Document {
  const chosen = PATHS.filter((path) => !path.startsWith('_id') && random() < 0.25);
  const fields = chosen.filter((path) => !chosen.some((other) => path.startsWith(`${other}.`)));
  return one<() => Document>(random, [
    () => ({
      $project: { ...Object.fromEntries(fields.map((path) => [path, 1])), c: expression(random) },
    }),
    () => ({
      $project: { t: '$data.readings.temperature', c: expression(random), n: '$data.readings' },
    }),
    () => ({ $unset: one<unknown>(random, ['tags', ['data', 'part_id'], 'data.readings.label']) }),
    () => ({ $project: { organization_id: 0, location_id: 0 } }),
  ])();
}

function addStage(random: Random): Document {
  return {
    $addFields: { t: expression(random), c: one<unknown>(random, [5, null, true, '$tags']) },
  };
}

/**
 * Returns a sort stage in which no two readings are equal, and a stage that selects some readings
 * by this order.
 */
function firstStages(random: Random): Document[] {
  const $sort = { [one(random, SCALARS)]: one(random, [1, -1]), 'data.readings.number': -1 };
  if (random() < 0.4) return [{ $sort }, edgeStage(random)];
  return [
    { $sort },
    ...(random() < 0.3 ? [{ $skip: 10 }] : []),
    ...(random() < 0.5 ? [{ $limit: 50 }] : []),
    ...(random() < 0.3 ? [{ $skip: 5 }] : []),
  ];
}

function sortStage(random: Random): Document {
  const direction = (): number => one(random, [1, -1]);
  return { $sort: { [one(random, SCALARS)]: direction(), [one(random, SCALARS)]: direction() } };
}

function groupStage(random: Random): Document {
  const id = one<() => unknown>(random, [
    () => null,
    () => expression(random),
    () => ({ c: expression(random), d: `$${one(random, SCALARS)}` }),
  ])();
  return {
    $group: {
      _id: id,
      n: { $sum: one<unknown>(random, [1, `$${one(random, PATHS)}`]) },
      a: { $avg: `$${one(random, PATHS)}` },
      t: { [one(random, ['$min', '$max'])]: `$${one(random, SCALARS)}` },
      ...(random() < 0.3 ? { k: { $count: {} } } : {}),
    },
  };
}

/** Returns a group stage with first and last values, whose input must be sorted. */
function edgeStage(random: Random): Document {
  return {
    $group: {
      _id: expression(random),
      root: { [one(random, ['$first', '$last'])]: '$$ROOT' },
      t: { $first: `$${one(random, PATHS)}` },
      n: { $last: `$${one(random, PATHS)}` },
    },
  };
}

function comparison(random: Random, depth: number): Document {
  if (depth > 0 && random() < 0.3) {
    const list = [comparison(random, depth - 1), comparison(random, depth - 1)];
    return one<Document>(random, [{ $and: list }, { $or: list }, { $not: list.slice(1) }]);
  }
  const month = { $dateSubtract: { startDate: TIMESTAMP, unit: 'month', amount: 1 } };
  const pair = [
    one<unknown>(random, [
      `$${one(random, SCALARS)}`,
      '$time_received',
      { $add: ['$data.readings.number', 1] },
    ]),
    one<unknown>(random, [20, 'b', 'gps', true, TIMESTAMP, month]),
  ];
  const operator = one(random, ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']);
  return { [operator]: random() < 0.5 ? pair : pair.toReversed() };
}

function otherStage(random: Random): Document {
  return one<() => Document>(random, [
    () => ({ $count: 'n' }),
    () => ({ $match: { $expr: comparison(random, 1) } }),
    () => ({ $replaceWith: one(random, ['$root', '$data', '$$ROOT']) }),
    () => ({ $unwind: '$tags' }),
    () => ({ $sortByCount: `$${one(random, SCALARS)}` }),
  ])();
}
