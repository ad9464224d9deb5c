import type { Random } from '../random';
import { dailySwing } from '../readings/rhythm';
import { Canvas, type Color, shade } from './canvas';
import { Pen, type PixelBox, SCENE_OBJECTS, type SceneObject } from './sceneObjects';

/**
 * An object in an image, with its bounding box. Each side of the box is a fraction of the image
 * size, from 0 to 1.
 */
export interface LabeledBox {
  label: string;
  xMin: number;
  yMin: number;
  xMax: number;
  yMax: number;
}

export interface HallScene {
  canvas: Canvas;
  objects: LabeledBox[];
}

interface PositionedObject {
  object: SceneObject;
  box: PixelBox;
}

const CAMERA_HEIGHT_METERS = 2.1;
const MAX_OBJECTS = 7;
const ATTEMPTS = 12;
/** Maximum fraction of an object that can be hidden behind another object. */
const MAX_OVERLAP = 0.2;
const SMALLEST_PIXELS = 6;
const GRAIN = 3;

const WALL: Color = [186, 192, 198];
const FLOOR: Color = [138, 138, 134];
const RACK: Color = [38, 82, 148];
const LANE: Color = [226, 190, 52];
const SHADOW = 0.72;

/**
 * Draws a camera image of a warehouse at a given time of day: the hall, and objects on its floor
 * whose positions are known exactly.
 */
export function hallScene(random: Random, at: Date, width: number, height: number): HallScene {
  const canvas = new Canvas(width, height);
  const light = 0.82 + 0.16 * dailySwing(at) + random.between(-0.03, 0.03);
  const horizon = height * random.between(0.3, 0.38);
  drawHall(canvas, random, horizon, light);
  const placedObjects = placeObjects(random, horizon, width, height);
  for (const { object, box } of placedObjects) {
    const depth = (box.bottom - box.top) * 0.06;
    canvas.ellipse(
      box.left - depth,
      box.bottom - depth,
      box.right + depth,
      box.bottom + depth,
      shade(FLOOR, light * SHADOW),
    );
    object.draw(new Pen(canvas, box, light), random);
  }
  canvas.grain(random, GRAIN);
  return {
    canvas,
    objects: placedObjects.map(({ object, box }) => ({
      label: object.label,
      xMin: box.left / width,
      yMin: box.top / height,
      xMax: box.right / width,
      yMax: box.bottom / height,
    })),
  };
}

function drawHall(canvas: Canvas, random: Random, horizon: number, light: number): void {
  const { width, height } = canvas;
  canvas.gradient(0, horizon, shade(WALL, light * 0.85), shade(WALL, light));
  canvas.gradient(horizon, height, shade(FLOOR, light * 0.78), shade(FLOOR, light * 1.08));
  const bays = random.wholeBetween(4, 7);
  for (let bay = 0; bay <= bays; bay += 1) {
    const x = (bay / bays) * width;
    canvas.rectangle(x - 2, horizon * 0.15, x + 2, horizon, shade(RACK, light));
  }
  for (const shelf of [0.2, 0.55, 0.9]) {
    canvas.rectangle(0, horizon * shelf, width, horizon * shelf + 3, shade(RACK, light * 0.8));
  }
  const vanishing = width * random.between(0.35, 0.65);
  for (const foot of [random.between(-0.3, 0.2), random.between(0.8, 1.3)]) {
    canvas.polygon(
      [
        [vanishing, horizon],
        [vanishing + 2, horizon],
        [width * (foot + 0.03), height],
        [width * (foot - 0.03), height],
      ],
      shade(LANE, light),
    );
  }
}

/** Returns the objects, farthest first, which is the drawing order. */
function placeObjects(
  random: Random,
  horizon: number,
  width: number,
  height: number,
): PositionedObject[] {
  const wanted = random.wholeBetween(1, MAX_OBJECTS);
  const placedObjects: PositionedObject[] = [];
  for (
    let attempt = 0;
    attempt < wanted * ATTEMPTS && placedObjects.length < wanted;
    attempt += 1
  ) {
    const object = random.pick(SCENE_OBJECTS);
    const foot = horizon + (height - horizon) * random.between(0.25, 0.97);
    // Number of pixels per meter at the distance of the object, given the camera height.
    const pixelsPerMeter = (foot - horizon) / CAMERA_HEIGHT_METERS;
    const left = random.between(0, width - object.width * pixelsPerMeter);
    const box = wholePixels({
      left,
      top: foot - object.height * pixelsPerMeter,
      right: left + object.width * pixelsPerMeter,
      bottom: foot,
    });
    if (
      isLargeEnough(box) &&
      placedObjects.every((other) => overlap(other.box, box) < MAX_OVERLAP)
    ) {
      placedObjects.push({ object, box });
    }
  }
  return placedObjects.sort((one, other) => one.box.bottom - other.box.bottom);
}

function wholePixels({ left, top, right, bottom }: PixelBox): PixelBox {
  return {
    left: Math.floor(left),
    top: Math.max(0, Math.floor(top)),
    right: Math.floor(right),
    bottom: Math.floor(bottom),
  };
}

function isLargeEnough({ left, top, right, bottom }: PixelBox): boolean {
  return right - left >= SMALLEST_PIXELS && bottom - top >= SMALLEST_PIXELS;
}

/** Returns the size of the intersection of two boxes as a fraction of the smaller box. */
function overlap(one: PixelBox, other: PixelBox): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width <= 0 || height <= 0 ? 0 : (width * height) / Math.min(getArea(one), getArea(other));
}

function getArea({ left, top, right, bottom }: PixelBox): number {
  return (right - left) * (bottom - top);
}
