import type { Corners } from '../../../src/shared/data/boxes';
import { drawableCorners, type Size } from './boxGeometry';
import type { Handle } from './boxHits';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box moved by fractions of its image, and stopped at the image's edges. */
export function movedBy(box: Corners, x: number, y: number): Corners {
  const { xMin, yMin, xMax, yMax } = drawableCorners(box);
  const across = Math.min(Math.max(x, -xMin), 1 - xMax);
  const down = Math.min(Math.max(y, -yMin), 1 - yMax);
  return { xMin: xMin + across, yMin: yMin + down, xMax: xMax + across, yMax: yMax + down };
}

/** A box whose right and bottom edges move by fractions of its image; it keeps a pixel at least. */
export function resizedBy(box: Corners, x: number, y: number, image: Size): Corners {
  const { xMin, yMin, xMax, yMax } = drawableCorners(box);
  return atLeastOnePixel(
    { xMin, yMin, xMax: clamp(Math.max(xMax + x, xMin)), yMax: clamp(Math.max(yMax + y, yMin)) },
    image,
  );
}

/** A box whose handle is dragged to a point; beyond the opposite side it turns around. */
export function draggedTo(box: Corners, handle: Handle, { x, y }: Point, image: Size): Corners {
  const from = drawableCorners(box);
  return atLeastOnePixel(
    drawableCorners({
      xMin: handle.x === 'min' ? x : from.xMin,
      xMax: handle.x === 'max' ? x : from.xMax,
      yMin: handle.y === 'min' ? y : from.yMin,
      yMax: handle.y === 'max' ? y : from.yMax,
    }),
    image,
  );
}

/** The box between two points. */
export function boxBetween(from: Point, to: Point, image: Size): Corners {
  return atLeastOnePixel(
    drawableCorners({ xMin: from.x, yMin: from.y, xMax: to.x, yMax: to.y }),
    image,
  );
}

/** A box as large as a pixel of its image at least, within it. */
export function atLeastOnePixel(box: Corners, { width, height }: Size): Corners {
  const [xMin, xMax] = widened(box.xMin, box.xMax, 1 / width);
  const [yMin, yMax] = widened(box.yMin, box.yMax, 1 / height);
  return { xMin, yMin, xMax, yMax };
}

function widened(min: number, max: number, least: number): readonly [number, number] {
  // Differences of fractions are off by their last digit.
  if (max - min >= least * 0.999) return [min, max];
  const start = Math.min(min, 1 - least);
  return [start, Math.min(start + least, 1)];
}

function clamp(fraction: number): number {
  return Math.min(Math.max(fraction, 0), 1);
}
