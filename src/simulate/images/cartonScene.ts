import type { Random } from '../random';
import { Canvas, type Color, type Point, shade } from './canvas';
import type { HallScene } from './hallScene';

/** Result of a carton inspection. */
export type CartonState = 'intact' | 'damaged';

const BELT: Color = [58, 62, 66];
const RAIL: Color = [168, 172, 176];
const TAPE: Color = [214, 190, 138];
const LABEL: Color = [240, 240, 238];
const INK: Color = [44, 44, 46];
const HOLE: Color = [38, 26, 18];
const BOARDS: readonly Color[] = [
  [196, 154, 104],
  [178, 134, 86],
  [212, 176, 128],
];

interface Carton {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly board: Color;
}

/**
 * Draws a camera image of a carton on a belt. The carton is either intact or torn open at a corner,
 * and its position is known exactly.
 */
export function cartonScene(
  random: Random,
  state: CartonState,
  width: number,
  height: number,
): HallScene {
  const canvas = new Canvas(width, height);
  const light = random.between(0.8, 1.1);
  drawBelt(canvas, random, light);
  const carton = placeCarton(random, width, height, light);
  drawCarton(canvas, carton, light);
  if (state === 'damaged') drawDamage(canvas, random, carton, light);
  const { left, top } = carton;
  const box = {
    label: 'carton',
    xMin: left / width,
    yMin: top / height,
    xMax: (left + carton.width) / width,
    yMax: (top + carton.height) / height,
  };
  return { canvas, objects: [box] };
}

function drawBelt(canvas: Canvas, random: Random, light: number): void {
  const { width, height } = canvas;
  canvas.gradient(0, height, shade(BELT, light * 0.9), shade(BELT, light * 1.1));
  const pitch = width / 6;
  // Draws the seams in the moving belt.
  for (let x = random.between(0, pitch); x < width; x += pitch) {
    canvas.rectangle(x, 0, x + 1, height, shade(BELT, light * 0.7));
  }
  for (const top of [0, height * 0.94]) {
    canvas.rectangle(0, top, width, top + height * 0.06, shade(RAIL, light));
  }
}

function placeCarton(random: Random, width: number, height: number, light: number): Carton {
  const size = [width * random.between(0.34, 0.5), height * random.between(0.45, 0.65)].map(
    Math.round,
  );
  const [across = 0, down = 0] = size;
  return {
    left: Math.round(random.between(1, width - across - 1)),
    top: Math.round(random.between(height * 0.08, height * 0.92 - down)),
    width: across,
    height: down,
    board: shade(random.pick(BOARDS), light),
  };
}

function drawCarton(canvas: Canvas, carton: Carton, light: number): void {
  const fill = (left: number, top: number, right: number, bottom: number, color: Color): void => {
    const [[x, y], [toX, toY]] = [at(carton, left, top), at(carton, right, bottom)];
    canvas.rectangle(x, y, toX, toY, color);
  };
  fill(0, 0, 1, 1, carton.board);
  fill(0, 0.94, 1, 1, shade(carton.board, 0.75));
  fill(0.44, 0, 0.56, 1, shade(TAPE, light));
  fill(0.64, 0.14, 0.94, 0.42, shade(LABEL, light));
  for (const line of [0.2, 0.28, 0.36]) fill(0.68, line, 0.9, line + 0.03, INK);
}

function drawDamage(canvas: Canvas, random: Random, carton: Carton, light: number): void {
  const deep = random.between(0.28, 0.4);
  const isLeft = random.chance(0.5);
  const x = (share: number): number => (isLeft ? share : 1 - share);
  // The crushed corner, and the tear that starts at it.
  const corner: readonly Point[] = [
    [x(0), 1 - deep],
    [x(deep), 1],
    [x(0), 1],
  ];
  const tear: readonly Point[] = [
    [x(0.1), 0.62],
    [x(0.5), random.between(0.3, 0.5)],
    [x(0.82), random.between(0.5, 0.7)],
    [x(0.46), 0.66],
  ];
  for (const shape of [corner, tear]) {
    canvas.polygon(
      shape.map(([across, down]) => at(carton, across, down)),
      shade(HOLE, light),
    );
  }
}

/** Returns a position on the carton, whose sides are at 0 and 1. */
function at({ left, top, width, height }: Carton, across: number, down: number): Point {
  return [left + across * width, top + down * height];
}
