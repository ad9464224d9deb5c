import type { Corners } from '../../../src/shared/data/boxes';

/** Size of an object in its own pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Position and size of a drawn image, in CSS pixels of the surface. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns valid corners, within the image and in the right order, regardless of the values that a
 * service sends.
 */
export function drawableCorners({ xMin, yMin, xMax, yMax }: Corners): Corners {
  const [left, right] = ordered(xMin, xMax);
  const [top, bottom] = ordered(yMin, yMax);
  return { xMin: left, yMin: top, xMax: right, yMax: bottom };
}

/** Returns the position of a box in an image that is drawn in a frame. */
export function toBoxFrame(box: Corners, frame: Frame): Frame {
  const { xMin, yMin, xMax, yMax } = drawableCorners(box);
  return {
    x: frame.x + xMin * frame.width,
    y: frame.y + yMin * frame.height,
    width: (xMax - xMin) * frame.width,
    height: (yMax - yMin) * frame.height,
  };
}

function ordered(one: number, other: number): readonly [number, number] {
  const [a, b] = [within(one), within(other)];
  return a <= b ? [a, b] : [b, a];
}

function within(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : 0;
}
