import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { root } from './support/paths';

/**
 * Size of the Marketplace icon in pixels. The icon shows the motif of `media/activityBar.svg` on a
 * tile, drawn from shapes.
 */
const SIZE = 256;
const SAMPLES = 4;
const GRID = 24;

type Color = readonly [red: number, green: number, blue: number];
type Shape = (x: number, y: number) => boolean;

const TOP: Color = [24, 119, 138];
const BOTTOM: Color = [17, 63, 103];
const INK: Color = [255, 255, 255];
const EYES: Color = [120, 226, 199];

/** Returns a filled rectangle with rounded corners, in units of the 24 × 24 grid. */
function box(left: number, top: number, width: number, height: number, radius: number): Shape {
  return (x, y) => {
    const dx = Math.max(left + radius - x, x - (left + width - radius), 0);
    const dy = Math.max(top + radius - y, y - (top + height - radius), 0);
    return (
      dx * dx + dy * dy <= radius * radius &&
      x >= left &&
      x <= left + width &&
      y >= top &&
      y <= top + height
    );
  };
}

const tile = box(0.5, 0.5, 23, 23, 5);
const eyes: readonly Shape[] = [box(9, 6.6, 1.9, 1.9, 0.95), box(13.1, 6.6, 1.9, 1.9, 0.95)];
const motif: readonly Shape[] = [
  box(6.6, 3.9, 10.8, 7.4, 2),
  box(11.4, 11, 1.2, 6, 0),
  box(5.4, 13.6, 13.2, 1.2, 0.6),
  box(5.4, 13.8, 1.2, 3, 0),
  box(17.4, 13.8, 1.2, 3, 0),
  box(4.2, 16.2, 3.6, 3.6, 0.8),
  box(10.2, 16.2, 3.6, 3.6, 0.8),
  box(16.2, 16.2, 3.6, 3.6, 0.8),
];

function colorAt(x: number, y: number): Color | undefined {
  if (!tile(x, y)) return undefined;
  if (eyes.some((eye) => eye(x, y))) return mix(TOP, BOTTOM, 0.5);
  if (motif.some((shape) => shape(x, y))) return y > 16.2 ? EYES : INK;
  return mix(TOP, BOTTOM, y / GRID);
}

function mix(from: Color, to: Color, share: number): Color {
  const channel = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [channel(0), channel(1), channel(2)];
}

/** Returns the mean color of multiple samples inside a pixel, for smooth edges. */
function pixel(column: number, row: number): readonly number[] {
  const sum = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const x = column + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const y = row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    const color = colorAt((x / SIZE) * GRID, (y / SIZE) * GRID);
    if (!color) continue;
    [...color, 255].forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value));
  }
  const covered = (sum[3] ?? 0) / 255 || 1;
  return sum.map((value, index) => Math.round(value / (index === 3 ? SAMPLES * SAMPLES : covered)));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function png(): Buffer {
  const rows = Array.from({ length: SIZE }, (_, row) =>
    Buffer.from([0, ...Array.from({ length: SIZE }, (__, column) => pixel(column, row)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits per channel; the channels are red, green, blue, and alpha.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

writeFileSync(join(root, 'media/icon.png'), png());
