/** Points of a line in order. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/**
 * Downsamples points without changing the appearance of the line: keeps the first and last points,
 * and the minimum and maximum of ranges with equal numbers of points, so that no peak is lost.
 * @returns the same points if there are no more than `most`, which is at least 4.
 */
export function thinOut(points: Points, most: number): Points {
  const { x, y } = points;
  if (y.length <= most) return points;
  const selected = new Set([0, y.length - 1]);
  const bucketCount = Math.floor((most - 2) / 2);
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    const start = Math.floor((bucket * y.length) / bucketCount);
    const end = Math.floor(((bucket + 1) * y.length) / bucketCount);
    let [lowest, highest] = [start, start];
    for (let at = start; at < end; at += 1) {
      const value = y[at] ?? 0;
      if (value < (y[lowest] ?? 0)) lowest = at;
      if (value > (y[highest] ?? 0)) highest = at;
    }
    selected.add(lowest).add(highest);
  }
  const indexes = [...selected].sort((a, b) => a - b);
  return { x: indexes.map((at) => x[at] ?? 0), y: indexes.map((at) => y[at] ?? 0) };
}
