import type { ClassBox } from '../../managed/examples';
import { GRID, SIDES } from '../network/detector';
import type { Change } from './augment';

/** What a detector should tell of one batch, place by place. */
export interface DetectionTargets {
  /** 1 where the middle of a thing of the class is, less around it. */
  readonly likely: Float32Array;
  /** How far the box reaches from the middle of the place, in places. */
  readonly reach: Float32Array;
  /** How much the box at a place counts; 0 where there is none. */
  readonly counts: Float32Array;
}

/** Less of a thing may be left in a changed picture, in places. */
const LEAST_PLACES = 0.35;
/** How fast the likelihood falls off, as a share of the box. */
const SPREAD = 0.12;
const LEAST_SPREAD = 0.45;
/** Places whose likelihood is less than this are no middle. */
const LEAST_COUNT = 0.3;
const NEAREST = 0.05;

export function detectionTargets(
  batch: readonly { readonly boxes: readonly ClassBox[] }[],
  changes: readonly (Change | undefined)[],
  classes: number,
): DetectionTargets {
  const places = GRID * GRID;
  const targets = {
    likely: new Float32Array(batch.length * places * classes),
    reach: new Float32Array(batch.length * places * SIDES).fill(1),
    counts: new Float32Array(batch.length * places),
  };
  for (const [image, { boxes }] of batch.entries()) {
    // The smallest last: where things overlap, it is the one in front.
    const sorted = boxes
      .map((box) => inPlaces(box, changes[image]))
      .filter(({ width, height }) => Math.min(width, height) > LEAST_PLACES)
      .sort((a, b) => b.width * b.height - a.width * a.height);
    for (const box of sorted) draw(targets, image * places, box, classes);
  }
  return targets;
}

interface PlacedBox {
  class: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A box of the changed picture, in places. */
function inPlaces(box: ClassBox, change: Change | undefined): PlacedBox {
  const { scaleX = 1, scaleY = 1, fromX = 0, fromY = 0 } = change ?? {};
  const x = (share: number): number => clamp((share - fromX) / scaleX) * GRID;
  const y = (share: number): number => clamp((share - fromY) / scaleY) * GRID;
  const [left, top] = [x(box.xMin), y(box.yMin)];
  return { class: box.class, left, top, width: x(box.xMax) - left, height: y(box.yMax) - top };
}

function draw(targets: DetectionTargets, first: number, box: PlacedBox, classes: number): void {
  const { left, top, width, height } = box;
  const [middleX, middleY] = [left + width / 2, top + height / 2];
  const [column, row] = [Math.floor(middleX), Math.floor(middleY)];
  const spreadX = Math.max(width * SPREAD, LEAST_SPREAD);
  const spreadY = Math.max(height * SPREAD, LEAST_SPREAD);
  const [reachX, reachY] = [Math.ceil(spreadX * 3), Math.ceil(spreadY * 3)];
  for (let y = Math.max(row - reachY, 0); y <= Math.min(row + reachY, GRID - 1); y += 1) {
    for (let x = Math.max(column - reachX, 0); x <= Math.min(column + reachX, GRID - 1); x += 1) {
      const place = first + y * GRID + x;
      const away = ((x - column) / spreadX) ** 2 + ((y - row) / spreadY) ** 2;
      const value = Math.exp(-away / 2);
      const at = place * classes + box.class;
      targets.likely[at] = Math.max(targets.likely[at] ?? 0, value);
      if (value < LEAST_COUNT) continue;
      targets.counts[place] = value;
      const sides = [x + 0.5 - left, y + 0.5 - top, left + width - x - 0.5, top + height - y - 0.5];
      targets.reach.set(
        sides.map((side) => Math.max(side, NEAREST)),
        place * SIDES,
      );
    }
  }
}

function clamp(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
