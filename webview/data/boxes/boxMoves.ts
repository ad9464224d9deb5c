import type { Corners } from '../../../src/shared/data/boxes';
import { drawableCorners, type Handle, type Size } from './boxGeometry';

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the box that results from moving a box by fractions of its image, within the image's
 * edges.
 */
export function movedBy(box: Corners, x: number, y: number): Corners {
  const { xMin, yMin, xMax, yMax } = drawableCorners(box);
  const across = Math.min(Math.max(x, -xMin), 1 - xMax);
  const down = Math.min(Math.max(y, -yMin), 1 - yMax);
  return { xMin: xMin + across, yMin: yMin + down, xMax: xMax + across, yMax: yMax + down };
}

/**
 * Returns the box that results from moving a box's right and bottom edges by fractions of its
 * image. The result is at least one pixel wide and high.
 */
export function resizedBy(box: Corners, x: number, y: number, image: Size): Corners {
  const { xMin, yMin, xMax, yMax } = drawableCorners(box);
  return atLeastOnePixel(
    { xMin, yMin, xMax: clamp(Math.max(xMax + x, xMin)), yMax: clamp(Math.max(yMax + y, yMin)) },
    image,
  );
}

/**
 * Returns a box with a handle dragged to a point. If the point is beyond the opposite side, the box
 * flips.
 */
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

/** Returns the box that spans two points. */
export function boxBetween(from: Point, to: Point, image: Size): Corners {
  return atLeastOnePixel(
    drawableCorners({ xMin: from.x, yMin: from.y, xMax: to.x, yMax: to.y }),
    image,
  );
}

/** Returns a box within the image that is at least one image pixel wide and high. */
export function atLeastOnePixel(box: Corners, { width, height }: Size): Corners {
  const [xMin, xMax] = widened(box.xMin, box.xMax, 1 / width);
  const [yMin, yMax] = widened(box.yMin, box.yMax, 1 / height);
  return { xMin, yMin, xMax, yMax };
}

function widened(min: number, max: number, least: number): readonly [number, number] {
  // Tolerate rounding errors in the difference.
  if (max - min >= least * 0.999) return [min, max];
  const start = Math.min(min, 1 - least);
  return [start, Math.min(start + least, 1)];
}

function clamp(fraction: number): number {
  return Math.min(Math.max(fraction, 0), 1);
}
