import { lzfCompress } from './lzf';
import type { PointCloud } from './pointCloud';

/** The three encodings of points in a PCD file. */
export const PCD_ENCODINGS = ['ascii', 'binary', 'binary_compressed'] as const;
export type PcdEncoding = (typeof PCD_ENCODINGS)[number];

/** File extension and MIME type of PCD files. */
export const PCD_FILE = { fileExtension: '.pcd', mimeType: 'pointcloud/pcd' } as const;

const FIELD_BYTES = 4;
const SIZES_BYTES = 8;
const METER_DECIMALS = 4;

/** Returns a PCD file (version 0.7) that contains points in meters. */
export function encodePcd(cloud: PointCloud, encoding: PcdEncoding): Uint8Array {
  const body = {
    ascii: asciiBody,
    binary: binaryBody,
    binary_compressed: compressedBody,
  }[encoding](cloud);
  return Buffer.concat([Buffer.from(formatHeader(cloud, encoding), 'latin1'), body]);
}

function formatHeader({ count, fields }: PointCloud, encoding: PcdEncoding): string {
  const row = (cell: (field: PointCloud['fields'][number]) => string) => fields.map(cell).join(' ');
  return [
    '# .PCD v.7 - Point Cloud Data file format',
    'VERSION .7',
    `FIELDS ${row(({ name }) => name)}`,
    `SIZE ${row(() => String(FIELD_BYTES))}`,
    `TYPE ${row(({ values }) => (values instanceof Float32Array ? 'F' : 'U'))}`,
    `COUNT ${row(() => '1')}`,
    `WIDTH ${String(count)}`,
    'HEIGHT 1',
    'VIEWPOINT 0 0 0 1 0 0 0',
    `POINTS ${String(count)}`,
    `DATA ${encoding}`,
    '',
  ].join('\n');
}

function asciiBody({ count, fields }: PointCloud): Buffer {
  const lines: string[] = [];
  for (let point = 0; point < count; point += 1) {
    lines.push(
      fields
        .map(({ values }) => {
          const value = values[point] ?? 0;
          return values instanceof Float32Array
            ? String(Number(value.toFixed(METER_DECIMALS)))
            : String(value);
        })
        .join(' '),
    );
  }
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

/** Returns the bytes of the points, one after another. */
function binaryBody({ count, fields }: PointCloud): Buffer {
  const body = Buffer.alloc(count * fields.length * FIELD_BYTES);
  let offset = 0;
  for (let point = 0; point < count; point += 1) {
    for (const { values } of fields) {
      offset = write(body, offset, values, point);
    }
  }
  return body;
}

/** Returns the two sizes, followed by the compressed fields, one after another. */
function compressedBody({ count, fields }: PointCloud): Buffer {
  const plain = Buffer.alloc(count * fields.length * FIELD_BYTES);
  let offset = 0;
  for (const { values } of fields) {
    for (let point = 0; point < count; point += 1) {
      offset = write(plain, offset, values, point);
    }
  }
  const compressed = lzfCompress(plain);
  const sizes = Buffer.alloc(SIZES_BYTES);
  sizes.writeUInt32LE(compressed.length, 0);
  sizes.writeUInt32LE(plain.length, FIELD_BYTES);
  return Buffer.concat([sizes, compressed]);
}

function write(
  body: Buffer,
  offset: number,
  values: Float32Array | Uint32Array,
  point: number,
): number {
  const value = values[point] ?? 0;
  return values instanceof Float32Array
    ? body.writeFloatLE(value, offset)
    : body.writeUInt32LE(value, offset);
}
