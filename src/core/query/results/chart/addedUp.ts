import type { Points } from '../../../data/tables/thinOut';

/**
 * Combines points with the same `x` into one point with the sum of their values. @param points in
 * ascending order of `x`
 */
export function addedUp({ x, y }: Points): Points {
  const positions: number[] = [];
  const sums: number[] = [];
  for (let at = 0; at < x.length; at += 1) {
    const position = x[at] ?? 0;
    if (positions.at(-1) === position)
      sums[sums.length - 1] = finite((sums.at(-1) ?? 0) + (y[at] ?? 0));
    else {
      positions.push(position);
      sums.push(y[at] ?? 0);
    }
  }
  return { x: positions, y: sums };
}

/** Clamps a sum to the range of finite numbers. */
function finite(sum: number): number {
  return Math.min(Math.max(sum, -Number.MAX_VALUE), Number.MAX_VALUE);
}
