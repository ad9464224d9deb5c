import type { Random } from '../../../simulate/random';
import { CHANNELS } from './resize';

/**
 * A random change to an image for augmentation. Mirroring and rotation aren't used because they can
 * change the meaning of an image.
 */
export interface Change {
  /**
   * Scale for mapping a position in the new image, as a fraction of its side, to a position in the
   * old image.
   */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly fromX: number;
  readonly fromY: number;
  readonly contrast: number;
  /** Values added to the color channels to simulate different lighting. */
  readonly brightness: readonly number[];
}

const ZOOM = 0.2;
const SHIFT = 0.08;
const CONTRAST = 0.2;
const BRIGHTNESS = 16;
const TINT = 16;
const MIDDLE_GRAY = 127.5;

/** Change that doesn't alter an image. */
export const NO_CHANGE: Change = {
  scaleX: 1,
  scaleY: 1,
  fromX: 0,
  fromY: 0,
  contrast: 1,
  brightness: Array.from({ length: CHANNELS }, () => 0),
};

export function randomChange(random: Random): Change {
  const zoom = 1 + random.between(-ZOOM, ZOOM);
  const aspectScale = 1 + random.between(-ZOOM, ZOOM) / 2;
  const [scaleX, scaleY] = [zoom * aspectScale, zoom / aspectScale];
  const brightness = random.between(-BRIGHTNESS, BRIGHTNESS);
  return {
    scaleX,
    scaleY,
    fromX: (1 - scaleX) / 2 + random.between(-SHIFT, SHIFT),
    fromY: (1 - scaleY) / 2 + random.between(-SHIFT, SHIFT),
    contrast: 1 + random.between(-CONTRAST, CONTRAST),
    brightness: Array.from({ length: CHANNELS }, () => brightness + random.between(-TINT, TINT)),
  };
}

/**
 * Writes the changed image to `target` at offset `at`. The area beyond the image's edges is filled
 * by repeating the edge pixels.
 */
export function writeChanged(
  square: Uint8Array,
  size: number,
  change: Change,
  target: Float32Array,
  at: number,
): void {
  const columns = samples(size, change.scaleX, change.fromX);
  const rows = samples(size, change.scaleY, change.fromY);
  const shifts = change.brightness.map((shift) => shift + MIDDLE_GRAY * (1 - change.contrast));
  let to = at;
  for (const row of rows) {
    const top = row.first * size;
    const bottom = row.second * size;
    for (const column of columns) {
      const topLeft = (top + column.first) * CHANNELS;
      const topRight = (top + column.second) * CHANNELS;
      const bottomLeft = (bottom + column.first) * CHANNELS;
      const bottomRight = (bottom + column.second) * CHANNELS;
      for (let channel = 0; channel < CHANNELS; channel += 1) {
        const first = square[topLeft + channel] ?? 0;
        const third = square[bottomLeft + channel] ?? 0;
        const above = first + ((square[topRight + channel] ?? 0) - first) * column.share;
        const below = third + ((square[bottomRight + channel] ?? 0) - third) * column.share;
        const value =
          (above + (below - above) * row.share) * change.contrast + (shifts[channel] ?? 0);
        target[to] = value < 0 ? 0 : value > 255 ? 255 : value;
        to += 1;
      }
    }
  }
}

interface Sample {
  first: number;
  second: number;
  /** Weight of the second pixel in the result, from 0 to 1. */
  share: number;
}

function samples(size: number, scale: number, from: number): Sample[] {
  return Array.from({ length: size }, (_, at) => {
    const position = Math.min(
      Math.max((from + ((at + 0.5) / size) * scale) * size - 0.5, 0),
      size - 1,
    );
    const first = Math.floor(position);
    return { first, second: Math.min(first + 1, size - 1), share: position - first };
  });
}
