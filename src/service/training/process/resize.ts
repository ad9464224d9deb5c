import type { RgbaImage } from './decodeImage';

const SOURCE_CHANNELS = 4;
/** Red, green, and blue channels. */
export const CHANNELS = 3;

/**
 * Source pixels that contribute to a target pixel along one axis: the index of the first source
 * pixel, and the weight of each source pixel.
 */
interface Blend {
  first: number;
  weights: Float32Array;
}

/**
 * Scales the whole image to a square of red, green, and blue bytes, without preserving the aspect
 * ratio. Each target pixel is a weighted average of all source pixels that it covers, so thin
 * objects don't disappear.
 */
export function resizeToSquare({ width, height, pixels }: RgbaImage, size: number): Uint8Array {
  const rows = new Float32Array(height * size * CHANNELS);
  const across = blends(width, size);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    for (const { first, weights } of across) {
      let from = (y * width + first) * SOURCE_CHANNELS;
      let [red, green, blue] = [0, 0, 0];
      for (const weight of weights) {
        red += weight * (pixels[from] ?? 0);
        green += weight * (pixels[from + 1] ?? 0);
        blue += weight * (pixels[from + 2] ?? 0);
        from += SOURCE_CHANNELS;
      }
      rows.set([red, green, blue], to);
      to += CHANNELS;
    }
  }
  const square = new Uint8ClampedArray(size * size * CHANNELS);
  const line = size * CHANNELS;
  const sums = new Float32Array(line);
  for (const [y, { first, weights }] of blends(height, size).entries()) {
    sums.fill(0);
    for (const [offset, weight] of weights.entries()) {
      const from = (first + offset) * line;
      for (let at = 0; at < line; at += 1) {
        sums[at] = (sums[at] ?? 0) + weight * (rows[from + at] ?? 0);
      }
    }
    square.set(sums, y * line);
  }
  return new Uint8Array(square.buffer);
}

/**
 * Returns weights that decrease linearly from the center of a pixel to the centers of its
 * neighbors.
 */
function blends(length: number, size: number): Blend[] {
  const scale = length / size;
  const reach = Math.max(scale, 1);
  return Array.from({ length: size }, (_, at) => {
    const middle = (at + 0.5) * scale;
    const first = Math.max(0, Math.floor(middle - reach));
    const last = Math.min(length, Math.ceil(middle + reach));
    const weights = Float32Array.from({ length: last - first }, (_unused, offset) =>
      Math.max(0, 1 - Math.abs(first + offset + 0.5 - middle) / reach),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}
