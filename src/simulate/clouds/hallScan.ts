import type { Random } from '../random';
import { type PointCloud, PointCloudBuilder, type PointDetail } from './pcd';

type Color = readonly [number, number, number];

/** A box on the floor, in meters. */
interface Block {
  x: number;
  y: number;
  width: number;
  depth: number;
  bottom: number;
  top: number;
  color: Color;
}

const FLOOR: Color = [118, 120, 124];
const LANE: Color = [222, 184, 40];
const WALL: Color = [196, 201, 204];
const WOOD: Color = [172, 128, 78];
const CARTONS: readonly Color[] = [
  [196, 154, 104],
  [184, 140, 92],
  [208, 170, 122],
];
const PALLET = { width: 1.2, depth: 0.8, height: 0.144 };
const LAYER_HEIGHT = 0.28;
const LANE_EVERY = 4;
const LANE_HALF_WIDTH = 0.06;
const NOISE = 0.008;

/** Fraction of the points that are on the floor and walls. The remaining points are on pallets. */
const FLOOR_SHARE = 0.45;
const WALL_SHARE = 0.25;

/**
 * Returns the point cloud that a scanner records in a warehouse. The warehouse has a floor with
 * lanes, two walls, and pallets with cartons. The scanner is at the origin, one meter above the
 * floor.
 */
export function hallScan(random: Random, count: number, detail: PointDetail): PointCloud {
  const builder = new PointCloudBuilder(count, detail);
  const reach = random.between(5, 8);
  const floor = -1;
  const spread = (value: number): number => value + random.normal(NOISE);
  const add = (x: number, y: number, z: number, color: Color): void => {
    const light = random.between(0.85, 1.05);
    const shaded = color.map((channel) => Math.min(255, channel * light));
    const [red = 0, green = 0, blue = 0] = shaded;
    builder.add(spread(x), spread(y), spread(z), [red, green, blue]);
  };

  const onFloor = Math.floor(count * FLOOR_SHARE);
  for (let point = 0; point < onFloor; point += 1) {
    // With a square root, the points would be distributed evenly, but scanners record more nearby
    // points.
    const distance = 0.4 + (reach - 0.4) * random.next() ** 0.8;
    const turn = random.between(0, 2 * Math.PI);
    const [x, y] = [distance * Math.cos(turn), distance * Math.sin(turn)];
    const fromLane = Math.abs((((y % LANE_EVERY) + LANE_EVERY) % LANE_EVERY) - LANE_EVERY / 2);
    add(x, y, floor, fromLane < LANE_HALF_WIDTH ? LANE : FLOOR);
  }
  const onWalls = Math.floor(count * WALL_SHARE);
  for (let point = 0; point < onWalls; point += 1) {
    const along = random.between(-reach, reach);
    const height = floor + random.between(0, 3.2);
    add(
      ...(random.chance(0.5)
        ? ([along, reach, height] as const)
        : ([reach, along, height] as const)),
      WALL,
    );
  }
  const blocks = pallets(random, reach, floor);
  for (let point = onFloor + onWalls; point < count; point += 1) {
    const block = random.pick(blocks);
    add(...surfacePoint(random, block), block.color);
  }
  return builder.build();
}

/** Returns pallets in the bays along the wall, each with some layers of cartons. */
function pallets(random: Random, reach: number, floor: number): Block[] {
  const blocks: Block[] = [];
  const bays = random.wholeBetween(3, 6);
  for (let bay = 0; bay < bays; bay += 1) {
    const footprint = {
      x: -reach + 1.2 + bay * (PALLET.width + 0.35) + random.between(-0.06, 0.06),
      y: reach - random.between(1, 1.3),
      width: PALLET.width,
      depth: PALLET.depth,
    };
    const top = floor + PALLET.height;
    blocks.push({ ...footprint, bottom: floor, top, color: WOOD });
    const layers = random.wholeBetween(0, 5);
    if (layers > 0) {
      const color = random.pick(CARTONS);
      blocks.push({ ...footprint, bottom: top, top: top + layers * LAYER_HEIGHT, color });
    }
  }
  return blocks;
}

/**
 * Returns a point on a block's surface that the scanner can see: the top or a side that faces the
 * hall.
 */
function surfacePoint(random: Random, block: Block): readonly [number, number, number] {
  const across = random.between(-0.5, 0.5) * block.width;
  const deep = random.between(-0.5, 0.5) * block.depth;
  const height = random.between(block.bottom, block.top);
  switch (random.wholeBetween(0, 2)) {
    case 0:
      return [block.x + across, block.y + deep, block.top];
    case 1:
      return [block.x + across, block.y - block.depth / 2, height];
    default:
      return [block.x + block.width / 2, block.y + deep, height];
  }
}
