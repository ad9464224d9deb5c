import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { JobError } from '../../../../../../src/service/query/process/jobError';
import type { Document } from '../../../../../../src/service/query/process/pipeline/document';
import { seededRandom } from '../../../../../support/seededRandom';
import { runOn } from './runOn';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

/** Returns the values of one output field of `$setWindowFields`. */
async function windowValues(
  documents: readonly Document[],
  field: Document,
  { sortBy = { x: 1 }, ...options }: Document = {},
): Promise<unknown[]> {
  const $setWindowFields = { sortBy, ...options, output: { value: field } };
  return (await runOn(documents, { $setWindowFields })).map(({ value }) => value);
}

async function assertRejects(
  stage: Document,
  pattern: RegExp,
  documents: readonly Document[] = [{ x: 1 }],
): Promise<void> {
  await assert.rejects(runOn(documents, stage), (error) => {
    assert.ok(error instanceof JobError, String(error));
    assert.equal(error.code, Code.InvalidArgument, error.message);
    assert.match(error.message, pattern);
    return true;
  });
}

const xs = (...values: number[]): Document[] => values.map((x) => ({ x }));

// Expected results follow MongoDB's manual.
describe('$setWindowFields', () => {
  it('uses ranges of a field within embedded documents', async () => {
    const documents = [1, 2, 4, 8].map((n) => ({ data: { readings: { n } } }));
    const sortBy = { 'data.readings.n': 1 };
    const field = { $push: '$data.readings.n', window: { range: [-2, 0] } };
    assert.deepEqual(await windowValues(documents, field, { sortBy }), [[1], [1, 2], [2, 4], [8]]);
  });

  it('includes ties in ranges with 0 and not with current', async () => {
    const documents = xs(0, 1, 1, 2, 9);
    const push = (lower: unknown, upper: unknown): Document => ({
      $push: '$x',
      window: { range: [lower, upper] },
    });
    assert.deepEqual(await windowValues(documents, push(-1, 0)), [
      [0],
      [0, 1, 1],
      [0, 1, 1],
      [1, 1, 2],
      [9],
    ]);
    assert.deepEqual(await windowValues(documents, push('current', 1)), [
      [0, 1, 1],
      [1, 1, 2],
      [1, 2],
      [2],
      [9],
    ]);
    assert.deepEqual(await windowValues(documents, push('unbounded', -8)), [
      [],
      [],
      [],
      [],
      [0, 1, 1],
    ]);
    assert.deepEqual(await windowValues(documents, push(3, 'unbounded')), [[9], [9], [9], [9], []]);
  });

  it('counts date ranges by the calendar', async () => {
    const dates = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-05-01'];
    const documents = dates.map((date) => ({ x: new Date(date) }));
    const field = { $sum: 1, window: { range: [-1, 0], unit: 'month' } };
    assert.deepEqual(await windowValues(documents, field), [1, 2, 2, 1]);
  });

  it('returns sums, averages, counts, and extremes of empty windows like MongoDB', async () => {
    const window = { documents: [5, 6] };
    for (const [operator, empty] of [
      ['$sum', 0],
      ['$avg', null],
      ['$min', null],
      ['$max', null],
      ['$push', []],
      ['$stdDevPop', null],
      ['$stdDevSamp', null],
    ] as const) {
      const field = { [operator]: '$x', window };
      assert.deepEqual(await windowValues(xs(1, 2), field), [empty, empty], operator);
    }
    assert.deepEqual(await windowValues(xs(1, 2), { $count: {}, window }), [0, 0]);
  });

  it('computes sliding windows with the same results as each window alone', async () => {
    const random = seededRandom(7);
    const kinds = [1e300, -1e300, NaN, Infinity, null, 'text', 0.1, 1e-9, 12345.678];
    const documents = Array.from({ length: 40 }, (_, x) => ({
      x,
      v: random() < 0.3 ? kinds[Math.floor(random() * kinds.length)] : random() * 100 - 50,
    }));
    for (const documentsAround of [
      [-3, 0],
      [0, 4],
      [-7, 7],
      ['unbounded', 0],
      [-2, 'unbounded'],
      [2, 5],
    ]) {
      for (const operator of [
        '$sum',
        '$avg',
        '$min',
        '$max',
        '$stdDevSamp',
        '$addToSet',
        '$first',
      ]) {
        const window = { documents: documentsAround };
        const sliding = await windowValues(documents, { [operator]: '$v', window });
        for (const [index, value] of sliding.entries()) {
          const [lower, upper] = documentsAround.map((bound, side) =>
            typeof bound === 'number' ? index + bound : side === 0 ? 0 : documents.length,
          );
          const alone = documents.slice(Math.max(0, lower ?? 0), Math.max(0, (upper ?? 0) + 1));
          const [group] = await runOn(alone, {
            $group: { _id: null, value: { [operator]: '$v' } },
          });
          const empty = operator === '$sum' ? 0 : operator === '$addToSet' ? [] : null;
          assertClose(
            value,
            group === undefined ? empty : group.value,
            `${operator} ${String(index)}`,
          );
        }
      }
    }
  });

  it('ranks null and missing values alike, and ties with and without gaps', async () => {
    const documents = [{ x: 7 }, { x: 9 }, { x: 9 }, { x: 10 }, { x: null }, {}];
    assert.deepEqual(await windowValues(documents, { $rank: {} }), [1, 1, 3, 4, 4, 6]);
    assert.deepEqual(await windowValues(documents, { $denseRank: {} }), [1, 1, 2, 3, 3, 4]);
    assert.deepEqual(await windowValues(documents, { $documentNumber: {} }), [1, 2, 3, 4, 5, 6]);
  });

  it('shifts within partitions', async () => {
    const documents = ['a', 'a', 'b'].map((p, x) => ({ p, x }));
    const field = { $shift: { output: '$x', by: -1, default: 'none' } };
    const partitionBy = '$p';
    assert.deepEqual(await windowValues(documents, field, { partitionBy }), ['none', 0, 'none']);
    assert.deepEqual(await windowValues(documents, { $shift: { output: '$x', by: 2 } }), [
      2,
      null,
      null,
    ]);
  });

  it('fills gaps and smooths', async () => {
    const documents = [null, 0, null, null, 9, null].map((v, x) => ({ x, v }));
    assert.deepEqual(await windowValues(documents, { $linearFill: '$v' }), [
      null,
      0,
      3,
      6,
      9,
      null,
    ]);
    assert.deepEqual(await windowValues(documents, { $locf: '$v' }), [null, 0, 0, 0, 9, 9]);
    const average = { $expMovingAvg: { input: '$v', alpha: 0.5 } };
    assert.deepEqual(await windowValues(documents, average), [null, 0, 0, 0, 4.5, 4.5]);
    const scaled = { $minMaxScaler: { input: '$x', max: 10 }, window: { documents: [-1, 1] } };
    assert.deepEqual(await windowValues(documents, scaled), [0, 5, 5, 5, 5, 10]);
  });

  it('computes derivatives and integrals over time in a unit', async () => {
    const documents = [0, 2, 4, 10].map((x) => ({ x: at(x), v: 2 * x }));
    const window = { documents: [-1, 0] };
    const derivative = { $derivative: { input: '$v', unit: 'minute' }, window };
    assert.deepEqual(await windowValues(documents, derivative), [null, 120, 120, 120]);
    const integral = { $integral: { input: '$v', unit: 'second' }, window };
    assert.deepEqual(await windowValues(documents, integral), [0, 4, 12, 84]);
    const whole = { $integral: { input: '$v', unit: 'second' } };
    assert.deepEqual(await windowValues(documents, whole), [100, 100, 100, 100]);
    const empty = {
      $integral: { input: '$v', unit: 'second' },
      window: { range: [-1, -1], unit: 'second' },
    };
    assert.deepEqual(await windowValues(documents, empty), [null, null, null, null]);
  });

  it('computes every field from the original documents', async () => {
    const output = { x: { $sum: '$x' }, 'deep.y': { $sum: '$x' } };
    const results = await runOn(xs(1, 2), { $setWindowFields: { output } });
    assert.deepEqual(results, [
      { x: 3, deep: { y: 3 } },
      { x: 3, deep: { y: 3 } },
    ]);
  });

  it('names the field and the requirement that is missing', async () => {
    const window = { documents: [-1, 0] };
    const sum = (bounds: Document): Document => ({ $sum: '$x', window: bounds });
    for (const [field, expected, sortBy] of [
      [{ $rank: {} }, /value has \$rank, which needs sortBy with one field/, { x: 1, y: 1 }],
      [{ $rank: {}, window }, /can't have a window/],
      [{ $linearFill: '$x', window }, /can't have a window/],
      [{ $derivative: { input: '$x' } }, /needs a window/],
      [{ $derivative: { input: '$x', unit: 'month' }, window }, /"week" or a shorter/],
      [{ $expMovingAvg: { input: '$x', N: 2, alpha: 0.5 } }, /either N/],
      [{ $shift: { output: '$x' } }, /by, a whole number/],
      [{ $sum: '$x', $avg: '$x' }, /exactly one operator/],
      [{ $sum: { $frob: 1 } }, /unknown expression operator \$frob/],
      [sum({ documents: [0, -1] }), /a lower and an upper bound/],
      [sum({ documents: [0.5, 1] }), /whole numbers/],
      [sum({ documents: [0, 1], range: [0, 1] }), /either documents or range/],
      [sum({ range: [0, 1] }), /one ascending field/, { x: -1 }],
      [sum({ range: [0, 1], unit: 'moment' }), /unit of time/],
      [sum({ range: [0, 1], unit: 'hour' }), /dates if a unit is given, and numbers otherwise/],
    ] as const) {
      const $setWindowFields = { sortBy: sortBy ?? { x: 1 }, output: { value: field } };
      await assertRejects(
        { $setWindowFields },
        new RegExp(`^stage 1 \\(\\$setWindowFields\\): .*${expected.source}`),
      );
    }
    const twice = { output: { a: { $sum: '$x' }, 'a.b': { $sum: '$x' } } };
    await assertRejects({ $setWindowFields: twice }, /named twice/);
    const lists = { partitionBy: '$x', output: { a: { $sum: '$x' } } };
    await assertRejects({ $setWindowFields: lists }, /by an array/, [{ x: [1] }]);
  });

  it('processes 100,000 documents with long windows', async () => {
    const documents = Array.from({ length: 100_000 }, (_, x) => ({ x: at(x), v: x % 10 }));
    const window = { range: [-1, 0], unit: 'day' };
    const output = {
      sum: { $sum: '$v', window },
      max: { $max: '$v', window },
      all: { $avg: '$v' },
    };
    const results = await runOn(documents, { $setWindowFields: { sortBy: { x: 1 }, output } });
    const { sum, max, all } = results.at(-1) ?? {};
    assert.deepEqual({ sum, max, all }, { sum: 388_809, max: 9, all: 4.5 });
  }).timeout(120_000);
});

describe('$fill', () => {
  it('interpolates linearly only between numbers', async () => {
    const $fill = { sortBy: { x: 1 }, output: { v: { method: 'linear' } } };
    const documents = [{ x: 1, v: 1 }, { x: 2 }, { x: 3, v: 3 }];
    assert.deepEqual(await runOn(documents, { $fill }), [
      { x: 1, v: 1 },
      { x: 2, v: 2 },
      { x: 3, v: 3 },
    ]);
    await assertRejects({ $fill }, /different values in the sortBy field/, xs(1, 1));
    await assertRejects({ $fill }, /numbers, null, or missing/, [{ x: 1, v: 'a' }]);
    await assertRejects({ $fill }, /numbers, or dates, in the sortBy field/, [{}]);
  });
});

describe('$densify', () => {
  it('rejects a sequence with too many steps before it is created', async () => {
    const years = { step: 1, unit: 'millisecond', bounds: [at(0), new Date('2030-01-01')] };
    for (const [documents, range] of [
      [[{ x: at(0) }], years],
      [[{ x: at(0) }, { x: at(1e8) }], { ...years, bounds: 'full' }],
      [[{ x: at(0) }, { x: at(1e8) }], { ...years, bounds: 'partition' }],
      [[{ x: 0 }], { step: 1e-6, bounds: [0, 1e6] }],
      [xs(1e300, 1e301), { step: 1, bounds: 'full' }],
    ] as const) {
      await assert.rejects(runOn(documents, { $densify: { field: 'x', range } }), (error) => {
        assert.ok(error instanceof JobError, String(error));
        assert.equal(error.code, Code.ResourceExhausted);
        assert.match(
          error.message,
          /would add about .* the limit of 500000 documents; use a longer step/,
        );
        return true;
      });
    }
  });

  it('counts the steps of all partitions', async () => {
    const documents = Array.from({ length: 60 }, (_, p) => [
      { p, x: 0 },
      { p, x: 10_000 },
    ]).flat();
    const range = { step: 1, bounds: 'partition' };
    const $densify = { field: 'x', partitionByFields: ['p'], range };
    await assert.rejects(runOn(documents, { $densify }), /6\.0e\+5 documents/);
    assert.equal((await runOn(documents.slice(0, 20), { $densify })).length, 100_010);
  });

  it('names values that a sequence cannot contain', async () => {
    const $densify = { field: 'x', range: { step: 1, bounds: 'full' } };
    await assertRejects({ $densify }, /finite numbers/, xs(Number.NaN));
    const self = { ...$densify, partitionByFields: ['x'] };
    await assertRejects({ $densify: self }, /must not name the field of the sequence/);
  });
});

describe('$graphLookup', () => {
  it('is rejected with the stage to use instead', async () => {
    await assertRejects({ $graphLookup: { from: 'readings' } }, /use a \$lookup for each step/);
  });
});

/** Asserts equality, ignoring the last digits of numbers and the order of sets. */
function assertClose(actual: unknown, expected: unknown, message: string): void {
  if (typeof actual === 'number' && typeof expected === 'number' && Number.isFinite(expected)) {
    const tolerance = 1e-9 * Math.max(1, Math.abs(expected));
    assert.ok(Math.abs(actual - expected) <= tolerance, `${message}: ${actual}, not ${expected}`);
    return;
  }
  assert.deepEqual(actual, expected, message);
}
