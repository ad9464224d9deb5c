import type { BoxView, Corners } from '../../../src/shared/data/boxes';

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
 * Returns valid corners, which are within the image and in the correct order, regardless of the
 * values that a service sends.
 */
export function drawableCorners({ xMin, yMin, xMax, yMax }: Corners): Corners {
  const [left, right] = ordered(xMin, xMax);
  const [top, bottom] = ordered(yMin, yMax);
  return { xMin: left, yMin: top, xMax: right, yMax: bottom };
}

/** Returns a box's position in an image that is drawn in a frame. */
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

/** A position in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A handle, defined by the sides of the box that it moves. */
export interface Handle {
  readonly x: 'min' | 'max' | undefined;
  readonly y: 'min' | 'max' | undefined;
}

const sides = ['min', undefined, 'max'] as const;

/** A box's handles: its corners and the centers of its sides. */
export const handles: readonly Handle[] = sides.flatMap((x) =>
  sides.filter((y) => x !== undefined || y !== undefined).map((y) => ({ x, y })),
);

/** Maximum distance from a handle at which the pointer grabs the handle, in CSS pixels. */
const REACH = 8;

/** Maximum distance outside a box at which the pointer selects the box, in CSS pixels. */
const SLACK = 3;

/** Returns the position of a box's handle. */
export function getHandlePosition({ x, y }: Handle, boxFrame: Frame): Point {
  const along = (side: Handle['x'], start: number, length: number): number =>
    start + (side === 'min' ? 0 : side === 'max' ? length : length / 2);
  return { x: along(x, boxFrame.x, boxFrame.width), y: along(y, boxFrame.y, boxFrame.height) };
}

/** Returns the box handle under the pointer; corners take precedence over sides. */
export function handleAt(point: Point, box: Corners, frame: Frame): Handle | undefined {
  const boxFrame = toBoxFrame(box, frame);
  const near = handles.filter((handle) => {
    const { x, y } = getHandlePosition(handle, boxFrame);
    return Math.abs(point.x - x) <= REACH && Math.abs(point.y - y) <= REACH;
  });
  return near.find(({ x, y }) => x !== undefined && y !== undefined) ?? near[0];
}

/** Returns the boxes under the pointer, smallest first. */
export function boxesAt<T extends BoxView>(
  { x, y }: Point,
  boxes: readonly T[],
  frame: Frame,
): readonly T[] {
  return boxes
    .map((box) => ({ box, place: toBoxFrame(box, frame) }))
    .filter(
      ({ place: boxFrame }) =>
        isNear(x, boxFrame.x, boxFrame.width) && isNear(y, boxFrame.y, boxFrame.height),
    )
    .sort((one, other) => getArea(one.place) - getArea(other.place))
    .map(({ box }) => box);
}

/**
 * Returns the smallest box under the pointer or, if the selected box is also under the pointer, the
 * next larger box.
 */
export function pickedAt<T extends BoxView>(
  point: Point,
  boxes: readonly T[],
  frame: Frame,
  selected: string | undefined,
): T | undefined {
  const under = boxesAt(point, boxes, frame);
  const at = under.findIndex(({ id }) => id === selected);
  return under[(at + 1) % under.length];
}

function isNear(at: number, start: number, length: number): boolean {
  return at >= start - SLACK && at <= start + length + SLACK;
}

function getArea({ width, height }: Frame): number {
  return width * height;
}
