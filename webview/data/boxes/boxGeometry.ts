import type { Corners } from '../../../src/shared/data/boxes';

/** How large something is, in its own pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where an image is drawn, in CSS pixels of what it is drawn on. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Corners that can be drawn: within the image and the right way round, whatever a service tells. */
export function drawableCorners({ xMin, yMin, xMax, yMax }: Corners): Corners {
  const [left, right] = ordered(xMin, xMax);
  const [top, bottom] = ordered(yMin, yMax);
  return { xMin: left, yMin: top, xMax: right, yMax: bottom };
}

/** Where a box is drawn when its image is drawn in a frame. */
export function placeOf(box: Corners, frame: Frame): Frame {
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
