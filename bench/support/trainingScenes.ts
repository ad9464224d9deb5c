import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Canvas, type Color, type Point } from '../../src/simulate/images/canvas';
import { encodeImage } from '../../src/simulate/images/encodeImage';
import { Random } from '../../src/simulate/random';

const WIDTH = 240;
const HEIGHT = 180;
const GRAIN = 6;
/**
 * Minimum color difference between an object and its background, summed over all three channels.
 */
const MIN_CONTRAST = 150;

/**
 * Functions that draw the shapes. Colors, sizes, and positions are random, so only the shape
 * distinguishes objects.
 */
const SHAPES: Readonly<
  Record<string, (canvas: Canvas, left: number, top: number, size: number, color: Color) => void>
> = {
  disc: (canvas, left, top, size, color) =>
    canvas.ellipse(left, top, left + size, top + size, color),
  square: (canvas, left, top, size, color) =>
    canvas.rectangle(left, top, left + size, top + size, color),
  wedge: (canvas, left, top, size, color) => {
    const corners: Point[] = [
      [left + size / 2, top],
      [left + size, top + size],
      [left, top + size],
    ];
    canvas.polygon(corners, color);
  },
  frame: (canvas, left, top, size, color) => {
    const bar = size / 5;
    canvas.rectangle(left, top, left + size, top + bar, color);
    canvas.rectangle(left, top + size - bar, left + size, top + size, color);
    canvas.rectangle(left, top, left + bar, top + size, color);
    canvas.rectangle(left + size - bar, top, left + size, top + size, color);
  },
};

export type SceneKind = 'two' | 'four' | 'multi' | 'boxes';

interface PlacedObject {
  label: string;
  left: number;
  top: number;
  size: number;
}

/**
 * Fills a folder with images and a `dataset.jsonl`.
 * @param isRandom true if the labels are unrelated to the images
 * @returns the labels
 */
export function writeScenes(
  folder: string,
  kind: SceneKind,
  count: number,
  isRandom = false,
): string[] {
  const random = new Random(`scenes of ${kind}`);
  const labels = Object.keys(SHAPES).slice(0, kind === 'two' ? 2 : 4);
  mkdirSync(join(folder, 'data'), { recursive: true });
  const lines = Array.from({ length: count }, (_, at) => {
    const canvas = new Canvas(WIDTH, HEIGHT);
    const objects = drawScene(canvas, random, pickLabels(kind, labels, at, random), kind);
    const path = `data/${String(at).padStart(4, '0')}.jpg`;
    writeFileSync(join(folder, path), encodeImage(canvas, 'jpeg'));
    const annotatedLabels = isRandom ? [random.pick(labels)] : objects.map(({ label }) => label);
    return JSON.stringify({
      image_path: path,
      classification_annotations: annotatedLabels.map((label) => ({ annotation_label: label })),
      bounding_box_annotations: objects.map(({ label, left, top, size }) => ({
        annotation_label: label,
        x_min_normalized: left / WIDTH,
        y_min_normalized: top / HEIGHT,
        x_max_normalized: (left + size) / WIDTH,
        y_max_normalized: (top + size) / HEIGHT,
      })),
    });
  });
  writeFileSync(join(folder, 'dataset.jsonl'), `${lines.join('\n')}\n`);
  return labels;
}

function pickLabels(
  kind: SceneKind,
  labels: readonly string[],
  at: number,
  random: Random,
): string[] {
  switch (kind) {
    case 'two':
    case 'four':
      return [labels[at % labels.length] ?? ''];
    case 'multi': {
      const some = labels.filter(() => random.chance(0.45));
      return some.length > 0 ? some : [random.pick(labels)];
    }
    case 'boxes':
      return Array.from({ length: random.wholeBetween(1, 4) }, () => random.pick(labels));
  }
}

function drawScene(
  canvas: Canvas,
  random: Random,
  labels: readonly string[],
  kind: SceneKind,
): PlacedObject[] {
  const background = color(random, 140, 200);
  canvas.gradient(0, HEIGHT, background, color(random, 140, 200));
  const isSingle = kind === 'two' || kind === 'four';
  const placedObjects: PlacedObject[] = [];
  for (const label of labels) {
    const size = Math.round(isSingle ? random.between(50, 100) : random.between(34, 66));
    const spot = freeSpot(random, size, placedObjects);
    if (spot === undefined) continue;
    SHAPES[label]?.(canvas, ...spot, size, contrasting(random, background));
    placedObjects.push({ label, left: spot[0], top: spot[1], size });
  }
  canvas.grain(random, GRAIN);
  return placedObjects;
}

function freeSpot(
  random: Random,
  size: number,
  placedObjects: readonly PlacedObject[],
): Point | undefined {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const [left, top] = [
      random.wholeBetween(0, WIDTH - size),
      random.wholeBetween(0, HEIGHT - size),
    ];
    const isFree = placedObjects.every(
      (other) =>
        left > other.left + other.size ||
        left + size < other.left ||
        top > other.top + other.size ||
        top + size < other.top,
    );
    if (isFree) return [left, top];
  }
  return undefined;
}

function color(random: Random, low: number, high: number): Color {
  return [random.between(low, high), random.between(low, high), random.between(low, high)];
}

function contrasting(random: Random, background: Color): Color {
  for (;;) {
    const one = color(random, 0, 255);
    const contrast = one.reduce(
      (sum, channel, at) => sum + Math.abs(channel - (background[at] ?? 0)),
      0,
    );
    if (contrast >= MIN_CONTRAST) return one;
  }
}
