import type { Random } from '../random';
import { dailySwing } from '../readings/readingModel';
import { Canvas, type Color, shade } from './canvas';

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
const MIN_PIXELS = 6;
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
  const objectCount = random.wholeBetween(1, MAX_OBJECTS);
  const placedObjects: PositionedObject[] = [];
  for (
    let attempt = 0;
    attempt < objectCount * ATTEMPTS && placedObjects.length < objectCount;
    attempt += 1
  ) {
    const object = random.pick(SCENE_OBJECTS);
    const foot = horizon + (height - horizon) * random.between(0.25, 0.97);
    // Number of pixels per meter at the object's distance, given the camera height.
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
  return right - left >= MIN_PIXELS && bottom - top >= MIN_PIXELS;
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

/** An object's position in an image, in pixels. */
interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A kind of object in a warehouse. Its drawing touches all four sides of its box. */
interface SceneObject {
  label: string;
  /** Width in meters. */
  width: number;
  height: number;
  draw(pen: Pen, random: Random): void;
}

const CARDBOARD: readonly Color[] = [
  [196, 154, 104],
  [178, 134, 86],
  [212, 176, 128],
];
const WOOD: Color = [168, 124, 76];
const VESTS: readonly Color[] = [
  [238, 226, 44],
  [246, 128, 28],
];
const CLOTHES: readonly Color[] = [
  [44, 58, 92],
  [62, 64, 68],
  [74, 58, 50],
];
const SKIN: readonly Color[] = [
  [236, 200, 172],
  [190, 140, 106],
  [120, 82, 58],
];
const ORANGE: Color = [236, 88, 30];
const WHITE: Color = [240, 240, 238];
const BLACK: Color = [34, 34, 36];

/** Draws within a box, whose sides are at 0 and 1, with the scene's lighting. */
class Pen {
  constructor(
    private readonly canvas: Canvas,
    private readonly box: PixelBox,
    private readonly light: number,
  ) {}

  rectangle(left: number, top: number, right: number, bottom: number, color: Color): void {
    this.canvas.rectangle(
      this.x(left),
      this.y(top),
      this.x(right),
      this.y(bottom),
      this.lit(color),
    );
  }

  ellipse(left: number, top: number, right: number, bottom: number, color: Color): void {
    this.canvas.ellipse(this.x(left), this.y(top), this.x(right), this.y(bottom), this.lit(color));
  }

  polygon(points: readonly (readonly [number, number])[], color: Color): void {
    this.canvas.polygon(
      points.map(([x, y]) => [this.x(x), this.y(y)] as const),
      this.lit(color),
    );
  }

  private x(share: number): number {
    return this.box.left + share * (this.box.right - this.box.left);
  }

  private y(share: number): number {
    return this.box.top + share * (this.box.bottom - this.box.top);
  }

  private lit(color: Color): Color {
    return shade(color, this.light);
  }
}

const carton: SceneObject = {
  label: 'box',
  width: 0.6,
  height: 0.5,
  draw: (pen, random) => {
    const color = random.pick(CARDBOARD);
    pen.polygon(
      [
        [0.1, 0],
        [0.9, 0],
        [1, 0.2],
        [0, 0.2],
      ],
      shade(color, 1.15),
    );
    pen.rectangle(0, 0.2, 1, 1, color);
    pen.rectangle(0.46, 0.2, 0.54, 1, shade(color, 0.85));
    pen.rectangle(0.62, 0.62, 0.9, 0.86, WHITE);
  },
};

const pallet: SceneObject = {
  label: 'pallet',
  width: 1.2,
  height: 0.34,
  draw: (pen) => {
    pen.polygon(
      [
        [0.08, 0],
        [0.92, 0],
        [1, 0.5],
        [0, 0.5],
      ],
      shade(WOOD, 1.1),
    );
    for (const slat of [0.14, 0.28, 0.42]) {
      pen.rectangle(0.05, slat - 0.03, 0.95, slat, shade(WOOD, 0.7));
    }
    pen.rectangle(0, 0.5, 1, 0.62, WOOD);
    pen.rectangle(0, 0.62, 1, 0.9, BLACK);
    for (const block of [0, 0.43, 0.86]) {
      pen.rectangle(block, 0.62, block + 0.14, 0.9, shade(WOOD, 0.85));
    }
    pen.rectangle(0, 0.9, 1, 1, shade(WOOD, 0.8));
  },
};

const person: SceneObject = {
  label: 'person',
  width: 0.62,
  height: 1.76,
  draw: (pen, random) => {
    const [skin, vest, clothes] = [random.pick(SKIN), random.pick(VESTS), random.pick(CLOTHES)];
    pen.ellipse(0.34, 0, 0.66, 0.16, random.chance(0.5) ? vest : clothes);
    pen.ellipse(0.36, 0.05, 0.64, 0.17, skin);
    pen.polygon(
      [
        [0.13, 0.18],
        [0.87, 0.18],
        [0.74, 0.54],
        [0.26, 0.54],
      ],
      vest,
    );
    pen.rectangle(0.26, 0.38, 0.74, 0.42, WHITE);
    pen.rectangle(0, 0.2, 0.16, 0.52, clothes);
    pen.rectangle(0.84, 0.2, 1, 0.52, clothes);
    pen.rectangle(0.06, 0.18, 0.94, 0.25, vest);
    pen.rectangle(0.28, 0.54, 0.48, 1, clothes);
    pen.rectangle(0.52, 0.54, 0.72, 1, clothes);
  },
};

const cone: SceneObject = {
  label: 'cone',
  width: 0.4,
  height: 0.6,
  draw: (pen) => {
    pen.polygon(
      [
        [0.44, 0],
        [0.56, 0],
        [0.82, 0.9],
        [0.18, 0.9],
      ],
      ORANGE,
    );
    pen.polygon(
      [
        [0.37, 0.26],
        [0.63, 0.26],
        [0.69, 0.46],
        [0.31, 0.46],
      ],
      WHITE,
    );
    pen.rectangle(0, 0.9, 1, 1, shade(ORANGE, 0.75));
  },
};

/** All kinds of objects in a scene. */
const SCENE_OBJECTS: readonly SceneObject[] = [carton, pallet, person, cone];
