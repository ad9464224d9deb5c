import type { Cloud } from '../data/clouds/cloudViewer';

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns the same points, ordered so that every prefix is spread evenly over the cloud. */
export function scatteredCloud(cloud: Cloud): Cloud {
  const { count, positions, colors, intensities } = cloud;
  const step = coprimeStep(count);
  const scattered = {
    ...cloud,
    positions: new Float32Array(positions.length),
    colors: colors && new Float32Array(colors.length),
    intensities: intensities && new Float32Array(intensities.length),
  };
  for (let to = 0, from = 0; to < count; to += 1, from = (from + step) % count) {
    for (let part = 0; part < 3; part += 1) {
      scattered.positions[to * 3 + part] = positions[from * 3 + part] ?? 0;
      if (scattered.colors) scattered.colors[to * 3 + part] = colors?.[from * 3 + part] ?? 0;
    }
    if (scattered.intensities) scattered.intensities[to] = intensities?.[from] ?? NaN;
  }
  return scattered;
}

/**
 * Returns a step that visits each index exactly once. The step is near the golden ratio of the
 * count, which spreads the visited indexes most evenly.
 */
function coprimeStep(count: number): number {
  let step = Math.max(1, Math.round(count * GOLDEN));
  while (commonDivisor(step, count) > 1) step += 1;
  return step;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
