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

// LZF compression for compressed PCD files. It is implemented here because existing JavaScript
// libraries are unmaintained or native, and the format is simple, with only two kinds of runs.
const MAX_LITERAL_LENGTH = 32;
const MAX_MATCH_LENGTH = 264;
const MAX_OFFSET = 8192;
const MIN_MATCH_LENGTH = 3;
/** Maximum length without an extra byte for the length. */
const INLINE_MATCH = 8;
const TABLE_BITS = 14;
const SPREAD = 0x9e3779b1;

/** Compresses with LZF. Incompressible data grows by 1/32. */
export function lzfCompress(input: Uint8Array): Uint8Array {
  const output = new Uint8Array(input.length + Math.ceil(input.length / MAX_LITERAL_LENGTH) + 1);
  const lastOffsets = new Int32Array(1 << TABLE_BITS).fill(-1);
  let written = 0;
  let literalStart = 0;

  const flushLiterals = (end: number): void => {
    while (literalStart < end) {
      const length = Math.min(MAX_LITERAL_LENGTH, end - literalStart);
      output[written] = length - 1;
      output.set(input.subarray(literalStart, literalStart + length), written + 1);
      written += length + 1;
      literalStart += length;
    }
  };

  for (let offset = 0; offset + MIN_MATCH_LENGTH <= input.length;) {
    const slot = getHashSlot(input, offset);
    const candidate = lastOffsets[slot] ?? -1;
    lastOffsets[slot] = offset;
    const length =
      candidate >= 0 && offset - candidate <= MAX_OFFSET
        ? matchLength(input, candidate, offset)
        : 0;
    if (length < MIN_MATCH_LENGTH) {
      offset += 1;
      continue;
    }
    flushLiterals(offset);
    written = writeMatch(output, written, offset - candidate - 1, length);
    offset += length;
    literalStart = offset;
  }
  flushLiterals(input.length);
  return output.subarray(0, written);
}

function getHashSlot(input: Uint8Array, offset: number): number {
  const three =
    ((input[offset] ?? 0) << 16) | ((input[offset + 1] ?? 0) << 8) | (input[offset + 2] ?? 0);
  return Math.imul(three, SPREAD) >>> (32 - TABLE_BITS);
}

function matchLength(input: Uint8Array, candidate: number, offset: number): number {
  const longest = Math.min(MAX_MATCH_LENGTH, input.length - offset);
  let length = 0;
  while (length < longest && input[candidate + length] === input[offset + length]) {
    length += 1;
  }
  return length;
}

/**
 * Writes a match with a 3-bit length and a 13-bit offset. If the length is seven, the value of an
 * additional byte is added to it.
 */
function writeMatch(output: Uint8Array, at: number, offset: number, length: number): number {
  const high = offset >> 8;
  let end = at;
  if (length <= INLINE_MATCH) {
    output[end++] = ((length - 2) << 5) | high;
  } else {
    output[end++] = (7 << 5) | high;
    output[end++] = length - 2 - 7;
  }
  output[end++] = offset & 0xff;
  return end;
}

/**
 * A set of points with a value for each field: `x`, `y`, and `z` in meters, and other measurements.
 */
export interface PointCloud {
  count: number;
  fields: readonly { name: string; values: Float32Array | Uint32Array }[];
}

/** Additional information about a point: its color, or the strength of its reflection. */
export type PointDetail = 'rgb' | 'intensity';

const MAX_INTENSITY = 255;

/** Collects points in a cloud up to a maximum number. */
export class PointCloudBuilder {
  private count = 0;
  private readonly x: Float32Array;
  private readonly y: Float32Array;
  private readonly z: Float32Array;
  private readonly detail: Float32Array | Uint32Array;

  constructor(
    capacity: number,
    private readonly kind: PointDetail,
  ) {
    this.x = new Float32Array(capacity);
    this.y = new Float32Array(capacity);
    this.z = new Float32Array(capacity);
    this.detail = kind === 'rgb' ? new Uint32Array(capacity) : new Float32Array(capacity);
  }

  /** @param color red, green, and blue from 0 to 255. The color's brightness is the intensity. */
  add(
    x: number,
    y: number,
    z: number,
    [red, green, blue]: readonly [number, number, number],
  ): void {
    const { count } = this;
    this.x[count] = x;
    this.y[count] = y;
    this.z[count] = z;
    this.detail[count] =
      this.kind === 'rgb'
        ? (Math.round(red) << 16) | (Math.round(green) << 8) | Math.round(blue)
        : Math.round((red + green + blue) / 3) / MAX_INTENSITY;
    this.count += 1;
  }

  build(): PointCloud {
    const { count } = this;
    return {
      count,
      fields: [
        { name: 'x', values: this.x.subarray(0, count) },
        { name: 'y', values: this.y.subarray(0, count) },
        { name: 'z', values: this.z.subarray(0, count) },
        { name: this.kind, values: this.detail.subarray(0, count) },
      ],
    };
  }
}
