import { input, model } from '@tensorflow/tfjs-layers';
import { CHANNELS } from './resize';
import { type Network, NetworkBuilder } from './network';
import { computeIou } from '../../../core/model/boxOverlap';
import { MIN_DETECTION_SCORE } from '../../../core/model/modelTrial';
import type { ClassBox } from '../managed/examples';
import type { Change } from './augment';

export const DETECTOR_SIZE = 128;
/** Number of cells per side. Each cell predicts the objects whose center is in the cell. */
export const GRID = 16;
/** Left, top, right, and bottom: distances from a cell's center to the sides of its box. */
export const SIDES = 4;

/**
 * Initial bias that makes objects unlikely in every cell, so that training doesn't have to unlearn
 * false detections first.
 */
const UNLIKELY = -4;
/**
 * Logarithm of the initial distance from a cell's center to each side of its box, which is two
 * cells.
 */
const TWO_PLACES = Math.log(2);

/**
 * Creates a network that predicts, for each cell in a grid, the likelihood that the cell contains
 * the center of an object of each class, and that object's box. Combines high-resolution and
 * low-resolution features.
 */
export function detectorNetwork(classes: number, seed: number): Network {
  const builder = new NetworkBuilder(seed);
  const image = input({ shape: [DETECTOR_SIZE, DETECTOR_SIZE, CHANNELS], name: 'image' });
  const fine = builder.convolution(builder.scaled(image), 16, 2);
  const middle = builder.convolution(builder.halved(fine), 32);
  const near = builder.convolution(builder.convolution(builder.halved(middle), 48), 48);
  const far = builder.convolution(builder.convolution(builder.halved(near), 64), 64);
  const both = builder.convolution(builder.joined(near, builder.doubled(far)), 48);
  const likely = builder.addCellOutputs(both, 'likely', classes, UNLIKELY);
  const reach = builder.addCellOutputs(both, 'reach', SIDES, TWO_PLACES);
  const network = model({ inputs: image, outputs: [likely, reach] });
  return { learning: network, finished: network };
}

/** An object that a model detects in an image. */
export interface Detection extends ClassBox {
  /** Confidence from 0 to 1. */
  readonly score: number;
}

/** Outputs for one image, row by row: for each cell, the class logits and a box. */
export interface CellOutputs {
  readonly likely: Float32Array;
  readonly reach: Float32Array;
}

const MAX_OVERLAP = 0.5;
/** Limit that prevents a badly trained network from producing infinite boxes. */
const MAX_LOG_SIDE = 4;

/**
 * Returns the objects in an image, most likely first. Each object is a cell whose likelihood is a
 * local maximum.
 */
export function detectionsIn({ likely, reach }: CellOutputs, classes: number): Detection[] {
  const found: Detection[] = [];
  for (let cell = 0; cell < GRID * GRID; cell += 1) {
    for (let label = 0; label < classes; label += 1) {
      const logit = likely[cell * classes + label] ?? 0;
      const score = 1 / (1 + Math.exp(-logit));
      if (score >= MIN_DETECTION_SCORE && isPeak(likely, cell, label, classes, logit)) {
        found.push({ ...boxAt(reach, cell), class: label, score });
      }
    }
  }
  found.sort((a, b) => b.score - a.score);
  const selected: Detection[] = [];
  for (const one of found) {
    const isOther = (other: Detection): boolean =>
      other.class !== one.class || computeIou(one, other) < MAX_OVERLAP;
    if (selected.every(isOther)) selected.push(one);
  }
  return selected;
}

function isPeak(
  likely: Float32Array,
  cell: number,
  label: number,
  classes: number,
  logit: number,
): boolean {
  const [column, row] = [cell % GRID, Math.floor(cell / GRID)];
  for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, GRID - 1); y += 1) {
    for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, GRID - 1); x += 1) {
      if ((likely[(y * GRID + x) * classes + label] ?? 0) > logit) return false;
    }
  }
  return true;
}

function boxAt(reach: Float32Array, cell: number) {
  const side = (at: number): number =>
    Math.exp(Math.min(reach[cell * SIDES + at] ?? 0, MAX_LOG_SIDE));
  const [x, y] = [(cell % GRID) + 0.5, Math.floor(cell / GRID) + 0.5];
  const share = (cells: number): number => Math.min(Math.max(cells / GRID, 0), 1);
  return {
    xMin: share(x - side(0)),
    yMin: share(y - side(1)),
    xMax: share(x + side(2)),
    yMax: share(y + side(3)),
  };
}

/** A detector's target outputs for one batch, per cell. */
export interface DetectionTargets {
  /**
   * Likelihood of a center: 1 at the center of an object of the class, and lower values around it.
   */
  readonly likely: Float32Array;
  /** Distances from the cell's center to the sides of the box, in cells. */
  readonly reach: Float32Array;
  /** Weight of the box at a cell; 0 if there is none. */
  readonly counts: Float32Array;
}

/** Minimum side length of an object in a changed image, in cells. Smaller objects are ignored. */
const MIN_CELLS = 0.35;
/** Standard deviation of the likelihood around a center, as a fraction of the box size. */
const SPREAD = 0.12;
const MIN_SPREAD = 0.45;
/** Minimum likelihood of a cell that counts as a center. */
const MIN_LIKELIHOOD = 0.3;
const NEAREST = 0.05;

export function detectionTargets(
  batch: readonly { readonly boxes: readonly ClassBox[] }[],
  changes: readonly (Change | undefined)[],
  classes: number,
): DetectionTargets {
  const cellCount = GRID * GRID;
  const targets = {
    likely: new Float32Array(batch.length * cellCount * classes),
    reach: new Float32Array(batch.length * cellCount * SIDES).fill(1),
    counts: new Float32Array(batch.length * cellCount),
  };
  for (const [image, { boxes }] of batch.entries()) {
    // The smallest box is last because, of several overlapping objects, the smallest is assumed to
    // be in front.
    const sorted = boxes
      .map((box) => toGridBox(box, changes[image]))
      .filter(({ width, height }) => Math.min(width, height) > MIN_CELLS)
      .sort((a, b) => b.width * b.height - a.width * a.height);
    for (const box of sorted) draw(targets, image * cellCount, box, classes);
  }
  return targets;
}

interface GridBox {
  class: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Converts a box to its position in the changed image, in cells. */
function toGridBox(box: ClassBox, change: Change | undefined): GridBox {
  const { scaleX = 1, scaleY = 1, fromX = 0, fromY = 0 } = change ?? {};
  const x = (share: number): number => clamp((share - fromX) / scaleX) * GRID;
  const y = (share: number): number => clamp((share - fromY) / scaleY) * GRID;
  const [left, top] = [x(box.xMin), y(box.yMin)];
  return { class: box.class, left, top, width: x(box.xMax) - left, height: y(box.yMax) - top };
}

function draw(targets: DetectionTargets, first: number, box: GridBox, classes: number): void {
  const { left, top, width, height } = box;
  const [middleX, middleY] = [left + width / 2, top + height / 2];
  const [column, row] = [Math.floor(middleX), Math.floor(middleY)];
  const spreadX = Math.max(width * SPREAD, MIN_SPREAD);
  const spreadY = Math.max(height * SPREAD, MIN_SPREAD);
  const [reachX, reachY] = [Math.ceil(spreadX * 3), Math.ceil(spreadY * 3)];
  for (let y = Math.max(row - reachY, 0); y <= Math.min(row + reachY, GRID - 1); y += 1) {
    for (let x = Math.max(column - reachX, 0); x <= Math.min(column + reachX, GRID - 1); x += 1) {
      const cell = first + y * GRID + x;
      const away = ((x - column) / spreadX) ** 2 + ((y - row) / spreadY) ** 2;
      const value = Math.exp(-away / 2);
      const at = cell * classes + box.class;
      targets.likely[at] = Math.max(targets.likely[at] ?? 0, value);
      if (value < MIN_LIKELIHOOD) continue;
      targets.counts[cell] = value;
      const sides = [x + 0.5 - left, y + 0.5 - top, left + width - x - 0.5, top + height - y - 0.5];
      targets.reach.set(
        sides.map((side) => Math.max(side, NEAREST)),
        cell * SIDES,
      );
    }
  }
}

function clamp(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
