import type { ClassBox } from '../../managed/examples';
import { GRID, SIDES } from '../network/detector';
import type { Change } from './augment';

/** Target outputs of a detector for one batch, per cell. */
export interface DetectionTargets {
  /**
   * Likelihood of a center: 1 at the center of an object of the class, and lower values around it.
   */
  readonly likely: Float32Array;
  /** Distances from the center of the cell to the sides of the box, in cells. */
  readonly reach: Float32Array;
  /** Weight of the box at a cell; 0 if there is none. */
  readonly counts: Float32Array;
}

/** Minimum size of an object that remains in a changed image, in cells. */
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
    // The smallest box is last because the smallest of overlapping objects is assumed to be in
    // front.
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
