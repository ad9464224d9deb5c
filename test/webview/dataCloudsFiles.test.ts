import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hallScan } from '../../src/simulate/clouds/hallScan';
import { PCD_ENCODINGS } from '../../src/simulate/clouds/pcd';
import { Random } from '../../src/simulate/random';
import { CloudFileError, type CloudReading } from '../../webview/data/clouds/cloudViewer';
import { EvenSample } from '../../webview/pointCloud/pcdSlice';
import { MovingDetail, scatteredCloud } from '../../webview/pointCloud/cloudRenderer';
import { readCloud } from '../../webview/pointCloud/readCloud';
import { hallFile, headerEnd, textFile, withHeader } from './support/cloudFiles';

function read(file: Uint8Array<ArrayBuffer>, limit = 1_000_000): Promise<CloudReading> {
  const { signal } = new AbortController();
  return readCloud(file.buffer, { limit, signal, onProgress: () => undefined });
}

async function getReadProblem(
  file: Uint8Array<ArrayBuffer>,
): Promise<readonly (string | number)[]> {
  const error: unknown = await read(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CloudFileError, String(error));
  return [error.problem.kind, ...error.problem.values];
}

const tolerance = 1e-4;
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= tolerance;

describe('reading point clouds', () => {
  const scan = hallScan(new Random('hall'), 1_000, 'rgb');
  const [x, y, z] = scan.fields.map(({ values }) => values);

  for (const encoding of PCD_ENCODINGS) {
    it(`reads every point of a file in ${encoding}`, async () => {
      const { cloud, ...facts } = await read(hallFile({ encoding }));
      assert.deepEqual(facts, {
        encoding,
        fields: ['x', 'y', 'z', 'rgb'],
        claimed: 1_000,
        taken: 1_000,
        withoutPosition: 0,
      });
      assert.equal(cloud.count, 1_000);
      for (const point of [0, 1, 500, 999]) {
        assert.ok(isNear(cloud.positions[point * 3] ?? NaN, x?.[point] ?? NaN));
        assert.ok(isNear(cloud.positions[point * 3 + 1] ?? NaN, y?.[point] ?? NaN));
        assert.ok(isNear(cloud.positions[point * 3 + 2] ?? NaN, z?.[point] ?? NaN));
      }
      const heights = [...(z ?? [])];
      assert.ok(isNear(cloud.bounds?.low[2] ?? NaN, Math.min(...heights)));
      assert.ok(isNear(cloud.bounds?.high[2] ?? NaN, Math.max(...heights)));
      assert.equal(cloud.colors?.length, 3_000);
      assert.equal(cloud.intensities, undefined);
    });

    it(`samples points of a file in ${encoding} evenly and deterministically`, async () => {
      const file = hallFile({ encoding, detail: 'intensity', points: 40_000 });
      const [all, some, again] = [
        await read(file),
        await read(file, 15_000),
        await read(file, 15_000),
      ];
      assert.equal(some.cloud.count, 15_000);
      assert.equal(some.claimed, 40_000);
      assert.deepEqual(some.cloud.positions, again.cloud.positions);
      const sample = new EvenSample(40_000, 15_000);
      for (const index of [0, 1, 7_000, 14_999]) {
        const from = sample.at(index) * 3;
        assert.deepEqual(
          some.cloud.positions.slice(index * 3, index * 3 + 3),
          all.cloud.positions.slice(from, from + 3),
        );
        assert.equal(some.cloud.intensities?.[index], all.cloud.intensities?.[sample.at(index)]);
      }
    });
  }

  it('samples one point from each range', () => {
    const sample = new EvenSample(1_050, 1_000);
    const chosen = Array.from({ length: sample.count }, (_, index) => sample.at(index));
    assert.equal(new Set(chosen).size, 1_000);
    assert.deepEqual(
      chosen,
      chosen.toSorted((one, other) => one - other),
    );
    assert.ok((chosen.at(-1) ?? NaN) >= 1_048 && (chosen.at(-1) ?? NaN) < 1_050);
  });

  it('excludes points without a position', async () => {
    const { cloud, taken, withoutPosition } = await read(
      textFile(['1 2 3', 'nan 2 3', '4 inf 6', '-1 0 1']),
    );
    assert.deepEqual([cloud.count, taken, withoutPosition], [2, 4, 2]);
    assert.deepEqual(cloud.bounds, { low: [-1, 0, 1], high: [1, 2, 3] });
  });

  it('returns the points of a truncated file, and where it ends', async () => {
    const whole = hallFile({ points: 100 });
    const { cloud, problem } = await read(whole.slice(0, headerEnd(whole) + 40 * 16 + 7));
    assert.equal(cloud.count, 40);
    assert.deepEqual(problem, { kind: 'truncated', values: [40, 100] });
    const text = await read(textFile(['1 2 3', '4 5'], { points: 5, end: '' }));
    assert.equal(text.cloud.count, 1);
    assert.deepEqual(text.problem, { kind: 'truncated', values: [1, 5] });
    const empty = await read(textFile([], { points: 5 }));
    assert.equal(empty.cloud.bounds, undefined);
    assert.deepEqual(empty.problem, { kind: 'truncated', values: [0, 5] });
  });

  it('stops at an invalid line', async () => {
    const { cloud, problem } = await read(textFile(['1 2 3', '4 5', '7 8 9']));
    assert.equal(cloud.count, 1);
    assert.deepEqual(problem, { kind: 'badPoint', values: [2, 3] });
  });

  it('limits memory for a header with wrong counts', async () => {
    const huge = String(Number.MAX_SAFE_INTEGER);
    const file = withHeader(textFile(['1 2 3', '4 5 6']), 'WIDTH 2', `WIDTH ${huge}`);
    const { cloud, problem } = await read(withHeader(file, 'POINTS 2', `POINTS ${huge}`));
    assert.ok(cloud.count > 0);
    assert.equal(problem?.kind, 'truncated');
  });

  it('rejects a damaged compressed file with a reason and without using memory', async () => {
    const whole = hallFile({ encoding: 'binary_compressed' });
    const start = headerEnd(whole);
    const sizes = new DataView(whole.buffer, start, 8);
    const compressed = sizes.getUint32(0, true);
    assert.deepEqual(await getReadProblem(whole.slice(0, start + 5)), ['truncatedBytes', 0, 8]);
    assert.deepEqual(await getReadProblem(whole.slice(0, start + 108)), [
      'truncatedBytes',
      100,
      compressed,
    ]);
    const other = whole.slice();
    other.fill(0xff, start + 8 + 500);
    assert.deepEqual(await getReadProblem(other), ['damaged']);
    const early = whole.slice();
    new DataView(early.buffer).setUint32(start, compressed - 20, true);
    assert.deepEqual(await getReadProblem(early), ['damaged']);
    const points = 30_000_000;
    const bomb = withHeader(
      withHeader(whole, 'WIDTH 1000', `WIDTH ${points}`),
      'POINTS 1000',
      `POINTS ${points}`,
    );
    assert.deepEqual(await getReadProblem(bomb), ['sizeDisagrees', 16_000, points * 16]);
    new DataView(bomb.buffer).setUint32(headerEnd(bomb) + 4, points * 16, true);
    assert.deepEqual(await getReadProblem(bomb), ['damaged']);
    const larger = withHeader(
      withHeader(bomb, /WIDTH \d+/, 'WIDTH 40000000'),
      /POINTS \d+/,
      'POINTS 40000000',
    );
    new DataView(larger.buffer).setUint32(headerEnd(larger) + 4, 640_000_000, true);
    assert.deepEqual(await getReadProblem(larger), ['tooLarge', 640_000_000, 536_870_912]);
  });

  const broken: readonly (readonly [
    string,
    string | RegExp,
    string,
    readonly (string | number)[],
  ])[] = [
    ['an invalid size', /SIZE .*/, 'SIZE 3 4 4 4', ['badLine', 'SIZE']],
    ['a float of one byte', /SIZE .*/, 'SIZE 1 4 4 4', ['badLine', 'SIZE']],
    ['too few sizes', /SIZE .*/, 'SIZE 4 4', ['differentLengths', 'SIZE', 2, 4]],
    ['an invalid type', /TYPE .*/, 'TYPE F F Q U', ['badLine', 'TYPE']],
    ['a negative count', /COUNT .*/, 'COUNT 1 1 -1 1', ['badLine', 'COUNT']],
    ['an extremely large count', /COUNT .*/, 'COUNT 1 1 1 9999999', ['badLine', 'COUNT']],
    ['no width', /WIDTH .*\n/, '', ['missingLine', 'WIDTH']],
    ['a width that is not a number', /WIDTH .*/, 'WIDTH 1e3', ['badLine', 'WIDTH']],
    ['contradictory point counts', /POINTS .*/, 'POINTS 7', ['pointsDisagree', 7, 1_000, 1]],
    ['no z coordinate', /FIELDS .*/, 'FIELDS x y q rgb', ['noPositions']],
    [
      'integers of eight bytes',
      /SIZE 4 4 4 4\nTYPE F/,
      'SIZE 8 4 4 4\nTYPE I',
      ['unreadableField', 'x'],
    ],
    ['an unknown encoding', /DATA .*/, 'DATA zip', ['badLine', 'DATA']],
    ['an invalid header line', /SIZE .*/, '<svg onload="alert(1)">', ['missingLine', 'DATA']],
    [
      'names of inherited properties',
      /FIELDS .*/,
      'FIELDS x y __proto__ toString',
      ['noPositions'],
    ],
  ];
  for (const [what, from, to, expected] of broken) {
    it(`rejects ${what}`, async () => {
      assert.deepEqual(await getReadProblem(withHeader(hallFile(), from, to)), expected);
    });
  }

  it('rejects a file that is not PCD immediately', async () => {
    for (const file of [
      new Uint8Array(0),
      new Uint8Array(10_000_000),
      new Uint8Array(new TextEncoder().encode('ply\nformat ascii 1.0\n')),
      new Uint8Array(new TextEncoder().encode('FIELDS '.repeat(1_000_000))),
    ]) {
      assert.deepEqual(await getReadProblem(file), ['notPcd']);
    }
  });

  it('parses headers with comments, carriage returns, and other spaces', async () => {
    const file = withHeader(hallFile(), /^/, '# made\tby <b>somebody</b>\n\n');
    const { cloud } = await read(
      withHeader(withHeader(file, /\n/g, '\r\n'), 'FIELDS x y', 'fields  x\ty'),
    );
    assert.equal(cloud.count, 1_000);
    assert.ok(isNear(cloud.positions[2997] ?? NaN, x?.[999] ?? NaN));
  });

  it('skips fields that are not shown, including those with several values', async () => {
    const file = textFile(['9 9 1 2 3 8', '9 9 4 5 6 8'], { fields: 'normal_x x y z label' });
    const { cloud } = await read(withHeader(file, /COUNT .*/, 'COUNT 2 1 1 1 1'));
    assert.deepEqual([...cloud.positions], [1, 2, 3, 4, 5, 6]);
  });

  it('stops when it is canceled', async () => {
    const aborting = new AbortController();
    const { signal } = aborting;
    const onProgress = (): void => aborting.abort();
    const { buffer } = hallFile({ encoding: 'ascii', points: 200_000 });
    await assert.rejects(readCloud(buffer, { limit: 200_000, signal, onProgress }), {
      name: 'AbortError',
    });
  });

  it('orders points so that every prefix is spread over all', () => {
    const [count, some] = [200_000, 2_000];
    const positions = Float32Array.from({ length: count * 3 }, (_, index) => Math.floor(index / 3));
    const none = { colors: undefined, intensities: undefined, bounds: undefined };
    const scattered = scatteredCloud({ count, positions, ...none });
    const order = Array.from({ length: count }, (_, to) => scattered.positions[to * 3] ?? NaN);
    assert.equal(new Set(order).size, count);
    const beginning = order.slice(0, some).sort((one, other) => one - other);
    const distances = beginning.slice(1).map((value, index) => value - (beginning[index] ?? NaN));
    assert.ok(Math.max(...distances) <= (3 * count) / some, String(Math.max(...distances)));
  });

  it('draws fewer points while moving if frames are slow, and all if they are not', () => {
    const detail = new MovingDetail();
    detail.frameTook(40);
    assert.equal(detail.share, 1);
    detail.frameTook(330);
    assert.ok(Math.abs(detail.share - 0.1) < 1e-9);
    for (let frame = 0; frame < 5; frame += 1) detail.frameTook(10_000);
    assert.equal(detail.share, 0.01);
    for (let frame = 0; frame < 30; frame += 1) detail.frameTook(16);
    assert.equal(detail.share, 1);
  });
});
