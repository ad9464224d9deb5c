import type { ChartSeries } from './chartSeries';

type Points = Pick<ChartSeries, 'times' | 'values'>;

/**
 * Fewer points that look the same when drawn: of each stretch with equally many points the lowest and the
 * highest remain, so that no peak is lost, and the first and last of all.
 * @returns the same when there are no more than `most`, which is at least 4.
 */
export function thinOut(points: Points, most: number): Points {
  const { times, values } = points;
  if (values.length <= most) return points;
  const kept = new Set([0, values.length - 1]);
  const stretches = Math.floor((most - 2) / 2);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const start = Math.floor((stretch * values.length) / stretches);
    const end = Math.floor(((stretch + 1) * values.length) / stretches);
    let [lowest, highest] = [start, start];
    for (let at = start; at < end; at += 1) {
      const value = values[at] ?? 0;
      if (value < (values[lowest] ?? 0)) lowest = at;
      if (value > (values[highest] ?? 0)) highest = at;
    }
    kept.add(lowest).add(highest);
  }
  const places = [...kept].sort((a, b) => a - b);
  return {
    times: places.map((at) => times[at] ?? 0),
    values: places.map((at) => values[at] ?? 0),
  };
}
