import assert from 'node:assert/strict';
import { aggregate } from 'mingo';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { type Random, seededRandom } from '../../../../../support/seededRandom';
import { pipelineFixture, type PipelineFixture } from './pipelineFixture';
import { randomReadings } from './randomPipelines';

/** Number of pipelines per family. */
const PIPELINES = Number(process.env.FLEETWRIGHT_TEST_PIPELINES ?? '40');
const READINGS = 60;

type Make = (random: Random) => Document[];

function one<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

const number = '$data.readings.number';
const temperature = 'data.readings.temperature';
const names = ['component_name', 'robot_id'];
const time = { time_received: 1, 'data.readings.number': 1 };

/**
 * Returns stages that sort readings by a unique number, so that the order of the results is always
 * the same.
 */
function some(random: Random): Document[] {
  return [
    ...(random() < 0.6
      ? [{ $match: { [one(random, names)]: one(random, ['z', 'gps', 'r1']) } }]
      : []),
    { $sort: { 'data.readings.number': one(random, [1, -1]) } },
    ...(random() < 0.4 ? [{ $limit: 1 + Math.floor(random() * 20) }] : []),
  ];
}

const short = { $project: { _id: 0, n: number, name: '$component_name', t: `$${temperature}` } };

const timed = { t: `$${temperature}`, at: '$time_received' };

function windowValue(random: Random): Document {
  const operator = one(random, ['$sum', '$avg', '$max', '$min', '$push', '$addToSet']);
  return one<Document>(random, [
    { [operator]: '$n', window: { documents: ['unbounded', 'current'] } },
    { [operator]: '$n', window: { documents: [-one(random, [1, 3]), one(random, [0, 2])] } },
    { [operator]: '$n', window: { documents: [1, 'unbounded'] } },
    { [operator]: '$n', window: { range: [-5, one(random, [0, 5])] } },
    { [operator]: '$n', window: { range: ['current', 10] } },
    { [one(random, ['$sum', '$avg', '$max', '$min'])]: '$t' },
    { $first: '$name' },
    { $last: '$t', window: { documents: [-1, 1] } },
    { $derivative: { input: '$n' }, window: { documents: [-1, 1] } },
    { $integral: { input: '$n' }, window: { documents: [-3, 0] } },
  ]);
}

function group(random: Random): Document[] {
  const operator = one(random, ['$sum', '$max', '$min', '$avg']);
  return [
    { $group: { _id: `$${one(random, names)}`, n: { [operator]: number }, count: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ];
}

const FAMILIES: Readonly<Record<string, Make>> = {
  // mingo treats a missing value as null, except in arrays; other tests cover missing values.
  $lookup: (random) => [
    ...some(random),
    {
      $lookup: one<() => Document>(random, [
        () => ({
          from: 'readings',
          localField: one(random, names),
          foreignField: one(random, names),
          as: 'joined',
        }),
        () => ({
          from: 'readings',
          as: 'joined',
          let: { n: number, r: '$robot_id' },
          pipeline: [
            {
              $match: {
                $expr: {
                  $and: [
                    { $eq: ['$robot_id', '$$r'] },
                    { [one(random, ['$lt', '$gt', '$ne'])]: [number, '$$n'] },
                  ],
                },
              },
            },
            ...some(random),
            short,
          ],
        }),
        () => ({
          from: 'readings',
          as: 'joined',
          let: { n: number },
          pipeline: [...group(random), { $addFields: { more: { $add: ['$$n', '$count'] } } }],
        }),
        () => ({ from: 'readings', as: 'joined', pipeline: [...some(random), short] }),
      ])(),
    },
    ...(random() < 0.5 ? [{ $addFields: { size: { $size: '$joined' } } }] : []),
    { $project: { tags: 0, 'joined.tags': 0 } },
  ],
  $unionWith: (random) => [
    ...some(random),
    short,
    {
      $unionWith: {
        coll: 'readings',
        pipeline: random() < 0.5 ? group(random) : [...some(random), short],
      },
    },
  ],
  $facet: (random) => [
    ...some(random),
    {
      $facet: {
        groups: group(random),
        rows: [...some(random), short],
        // Don't use $count, which returns 0 for no documents in mingo, while MongoDB returns no
        // document.
        count: [{ $group: { _id: null, n: { $sum: 1 } } }],
        ...(random() < 0.5
          ? { joined: [{ $limit: 3 }, short, { $unionWith: 'readings' }, { $count: 'n' }] }
          : {}),
      },
    },
  ],
  // mingo applies ranges only to top-level fields.
  $setWindowFields: (random) => [
    ...some(random),
    { $project: { _id: 0, n: number, name: '$component_name', robot: '$robot_id', ...timed } },
    {
      $setWindowFields: {
        ...(random() < 0.7 ? { partitionBy: one(random, ['$name', '$robot']) } : {}),
        ...one<() => Document>(random, [
          () => ({
            sortBy: { n: 1 },
            output: {
              value: windowValue(random),
              rank: { [one(random, ['$rank', '$denseRank', '$documentNumber'])]: {} },
              filled: one<Document>(random, [
                { $locf: '$t' },
                { $shift: { output: '$n', by: one(random, [-1, 1, 2]), default: -1 } },
                {
                  $expMovingAvg: {
                    input: '$n',
                    ...one<Document>(random, [{ N: 3 }, { alpha: 0.5 }]),
                  },
                },
                { $linearFill: '$n' },
              ]),
            },
          }),
          () => ({
            sortBy: { at: 1 },
            output: {
              value: {
                [one(random, ['$sum', '$avg', '$min', '$max', '$count'])]: '$n',
                window: {
                  range: [one(random, ['unbounded', -40, -3]), one(random, [0, 2, 'unbounded'])],
                  unit: one(random, ['hour', 'day', 'week', 'month']),
                },
              },
            },
          }),
        ])(),
      },
    },
    { $sort: { n: 1 } },
  ],
  $densify: (random) => [
    { $match: { 'data.readings.number': { $lt: 30, $mod: [one(random, [3, 4, 7]), 0] } } },
    { $project: { _id: 0, number, name: '$robot_id' } },
    { $sort: { number: 1 } },
    {
      $densify: {
        field: 'number',
        range: { step: one(random, [1, 2, 2.5]), bounds: one<unknown>(random, ['full', [2, 20]]) },
      },
    },
    { $sort: { number: 1, name: -1 } },
  ],
  $fill: (random) => [
    { $sort: time },
    { $project: { _id: 0, number, time_received: 1, name: '$robot_id', v: `$${temperature}` } },
    {
      $fill: {
        sortBy: { number: 1 },
        ...(random() < 0.5 ? { partitionByFields: ['name'] } : {}),
        // Don't use `linear`, for which mingo fails if the first or last value is missing.
        output: { v: one(random, [{ method: 'locf' }, { value: -1 }]) },
      },
    },
    { $sort: { number: 1 } },
  ],
};

describe('pipelines over readings', () => {
  const seed = Number(process.env.FLEETWRIGHT_TEST_SEED ?? '20260101');
  let fixture: PipelineFixture;
  let readings: Document[];

  before(async () => {
    fixture = await pipelineFixture(randomReadings(seededRandom(seed), READINGS));
    readings = await fixture.run([]);
  });
  after(() => fixture[Symbol.asyncDispose]());

  for (const [name, make] of Object.entries(FAMILIES)) {
    it(`return the results of mingo for ${PIPELINES} pipelines with ${name}`, async () => {
      const random = seededRandom(seed + name.length);
      for (let count = 0; count < PIPELINES; count++) {
        const stages = make(random);
        const ours = comparable(await fixture.run(stages));
        const theirs = aggregate(structuredClone(readings), stages, {
          collectionResolver: () => structuredClone(readings),
        });
        assert.deepEqual(ours, comparable(theirs as Document[]), JSON.stringify(stages));
      }
    }).timeout(30_000 + PIPELINES * 1000);
  }
});

/** Removes insignificant differences: the last digits of sums, and the order of fields. */
function comparable(documents: readonly Document[]): unknown {
  return JSON.parse(
    JSON.stringify(documents, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  );
}
