import { MIN_DETECTION_SCORE } from '../../../../core/model/modelTrial';
import type { ClassBox } from '../../managed/examples';
import { GRID, SIDES } from './detector';

/** An object that a model detects in an image. */
export interface Detection extends ClassBox {
  /** Confidence from 0 to 1. */
  readonly score: number;
}

/** Outputs for one image, row by row: for each cell, the logits of the classes and a box. */
export interface CellOutputs {
  readonly likely: Float32Array;
  readonly reach: Float32Array;
}

const MAX_OVERLAP = 0.5;
/** Limit that keeps a bad network from producing infinite boxes. */
const MAX_LOG_SIDE = 4;

/**
 * Returns the objects in an image, which are the cells with a local maximum of the likelihood, most
 * likely first.
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

/** Returns the IoU (intersection over union) of two boxes, from 0 to 1. */
export function computeIou(one: Omit<ClassBox, 'class'>, other: Omit<ClassBox, 'class'>): number {
  const width = Math.min(one.xMax, other.xMax) - Math.max(one.xMin, other.xMin);
  const height = Math.min(one.yMax, other.yMax) - Math.max(one.yMin, other.yMin);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (getArea(one) + getArea(other) - shared);
}

function getArea({ xMin, xMax, yMin, yMax }: Omit<ClassBox, 'class'>): number {
  return (xMax - xMin) * (yMax - yMin);
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
