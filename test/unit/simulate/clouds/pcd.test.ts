import assert from 'node:assert/strict';
import { hallScan } from '../../../../src/simulate/clouds/hallScan';
import { encodePcd, PCD_ENCODINGS, type PointCloud } from '../../../../src/simulate/clouds/pcd';
import { Random } from '../../../../src/simulate/random';
import { lzfExpand } from '../lzfExpand';

const POINTS = 2_000;

interface ReadCloud {
  header: Record<string, string>;
  /** One row per point; values are in field order. */
  rows: number[][];
}

/** Reads a file according to its header. */
function readPcd(file: Uint8Array): ReadCloud {
  const bytes = Buffer.from(file);
  const end = bytes.indexOf('\n', bytes.indexOf('\nDATA ') + 1) + 1;
  const lines = bytes.toString('latin1', 0, end).trim().split('\n');
  const header = Object.fromEntries(
    lines.filter((line) => !line.startsWith('#')).map((line) => line.split(/ (.*)/).slice(0, 2)),
  ) as Record<string, string>;
  const body = bytes.subarray(end);
  const count = Number(header.POINTS);
  const types = (header.TYPE ?? '').split(' ');
  if (header.DATA === 'ascii') {
    const text = body.toString('latin1').trim().split('\n');
    return { header, rows: text.map((line) => line.split(' ').map(Number)) };
  }
  const isCompressed = header.DATA === 'binary_compressed';
  const values = isCompressed
    ? Buffer.from(lzfExpand(body.subarray(8, 8 + body.readUInt32LE(0)), body.readUInt32LE(4)))
    : body;
  const at = (point: number, field: number): number =>
    4 * (isCompressed ? field * count + point : point * types.length + field);
  const rows = Array.from({ length: count }, (_, point) =>
    types.map((type, field) =>
      type === 'F' ? values.readFloatLE(at(point, field)) : values.readUInt32LE(at(point, field)),
    ),
  );
  return { header, rows };
}

describe('encodePcd', () => {
  const scan = (detail: 'rgb' | 'intensity'): PointCloud =>
    hallScan(new Random('scan'), POINTS, detail);

  for (const encoding of PCD_ENCODINGS) {
    for (const detail of ['rgb', 'intensity'] as const) {
      it(`writes points with ${detail} as ${encoding}`, () => {
        const cloud = scan(detail);
        const { header, rows } = readPcd(encodePcd(cloud, encoding));
        assert.equal(header.FIELDS, `x y z ${detail}`);
        assert.equal(header.SIZE, '4 4 4 4');
        assert.equal(header.TYPE, detail === 'rgb' ? 'F F F U' : 'F F F F');
        assert.equal(header.WIDTH, String(POINTS));
        assert.equal(rows.length, POINTS);
        for (const [point, row] of rows.entries()) {
          for (const [field, { values }] of cloud.fields.entries()) {
            // The text format has a precision of a tenth of a millimeter.
            const difference = Math.abs((row[field] ?? NaN) - (values[point] ?? NaN));
            assert.ok(difference <= (encoding === 'ascii' ? 0.000_051 : 0), String(difference));
          }
        }
      });
    }
  }

  it('compresses files to the smallest size', () => {
    const [ascii = 0, binary = 0, compressed = 0] = PCD_ENCODINGS.map(
      (encoding) => encodePcd(scan('rgb'), encoding).length,
    );
    assert.ok(compressed < binary && binary < ascii, `${ascii} ${binary} ${compressed}`);
  });
});

describe('hallScan', () => {
  it('returns the requested number of points of a hall of several meters', () => {
    const { count, fields } = hallScan(new Random('hall'), POINTS, 'intensity');
    assert.equal(count, POINTS);
    const [x, y, z, intensity] = fields.map(({ values }) => [...values]);
    for (const side of [x, y]) {
      assert.ok(side !== undefined && Math.max(...side.map(Math.abs)) < 9);
    }
    assert.ok(z !== undefined && Math.min(...z) < -0.95 && Math.max(...z) > 0);
    assert.ok(intensity?.every((value) => value > 0 && value <= 1));
  });
});
