import type { Random } from '../random';
import { type Canvas, type Color, shade } from './canvas';

/** Position of an object in an image, in pixels. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A kind of object in a warehouse. Its drawing fills its box on all four sides. */
export interface SceneObject {
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

/** Draws within a box, whose sides are at 0 and 1, with the lighting of the scene. */
export class Pen {
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
export const SCENE_OBJECTS: readonly SceneObject[] = [carton, pallet, person, cone];
