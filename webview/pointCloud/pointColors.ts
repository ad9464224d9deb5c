import { Color, SRGBColorSpace } from 'three';
import type { Cloud, Coloring, ColorScale } from '../data/clouds/cloudViewer';

const COLORS = 256;
const LEGEND_COLORS = 9;
/**
 * Fraction of values at each end of the range that get the outermost color, so that a few outliers
 * don't force all other points into one color.
 */
const STRAYS = 0.01;
/** Maximum number of values from which the ends of the range are estimated. */
const ESTIMATED_FROM = 65_536;

/**
 * Writes the colors of points, in linear color space, to the array that three.js reads.
 *
 * @returns the range of values that the colors represent; undefined for rgb
 */
export function colorPoints(
  cloud: Cloud,
  coloring: Coloring,
  background: 'dark' | 'light',
  colors: Float32Array,
): ColorScale | undefined {
  if (coloring === 'rgb') {
    if (cloud.colors) colors.set(cloud.colors);
    return undefined;
  }
  const { intensities, positions, count } = cloud;
  const valueAt =
    coloring === 'intensity' && intensities
      ? (point: number): number => intensities[point] ?? NaN
      : (point: number): number => positions[point * 3 + 2] ?? NaN;
  const range = estimateRange(count, valueAt);
  const table = linearTable(background);
  const perValue = range.high > range.low ? (COLORS - 1) / (range.high - range.low) : 0;
  for (let point = 0; point < count; point += 1) {
    const scaled = (valueAt(point) - range.low) * perValue;
    // NaN values get the lowest color.
    const color = 3 * (scaled > 0 ? Math.min(COLORS - 1, Math.round(scaled)) : 0);
    for (let part = 0; part < 3; part += 1) colors[point * 3 + part] = table[color + part] ?? 0;
  }
  const legend = createPalette(background, LEGEND_COLORS);
  return { ...range, colors: legend.map((color) => `rgb(${color.join(' ')})`) };
}

function estimateRange(
  count: number,
  valueAt: (point: number) => number,
): Pick<ColorScale, 'low' | 'high' | 'lowest' | 'highest'> {
  const step = Math.max(1, Math.floor(count / ESTIMATED_FROM));
  const some: number[] = [];
  let [lowest, highest] = [Infinity, -Infinity];
  for (let point = 0; point < count; point += 1) {
    const value = valueAt(point);
    if (!Number.isFinite(value)) continue;
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
    if (point % step === 0) some.push(value);
  }
  if (lowest > highest) return { low: 0, high: 0, lowest: 0, highest: 0 };
  const sorted = Float64Array.from(some).sort();
  const strays = Math.floor(sorted.length * STRAYS);
  const [low, high] = [sorted[strays] ?? lowest, sorted.at(-1 - strays) ?? highest];
  // If almost all values are equal, use the full range, because the other values are the
  // interesting ones.
  return low < high
    ? { low, high, lowest, highest }
    : { low: lowest, high: highest, lowest, highest };
}

function linearTable(background: 'dark' | 'light'): Float32Array {
  const color = new Color();
  const palette = createPalette(background, COLORS);
  return Float32Array.from(
    palette.flatMap(([red, green, blue]) =>
      color.setRGB(red / 255, green / 255, blue / 255, SRGBColorSpace).toArray(),
    ),
  );
}

/**
 * Color stops from the Viridis palette, whose lightness increases monotonically, so that the
 * palette doesn't rely on hue.
 */
const stops = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
] as const;

export type Rgb = readonly [red: number, green: number, blue: number];

/** Part of the palette that has enough contrast on each background. */
const parts = { dark: [0.2, 1], light: [0, 0.8] } as const;

/** Returns `length` colors from low to high, with components from 0 to 255. */
function createPalette(background: keyof typeof parts, length: number): readonly Rgb[] {
  const [from, to] = parts[background];
  return Array.from({ length }, (_, index) =>
    colorAt(from + ((to - from) * index) / Math.max(1, length - 1)),
  );
}

function colorAt(part: number): Rgb {
  const last = stops.length - 1;
  const index = Math.min(last - 1, Math.floor(part * last));
  const rest = part * last - index;
  const [from, to] = [stops[index] ?? stops[0], stops[index + 1] ?? stops[last]];
  return [0, 1, 2].map((one) =>
    Math.round((from[one] ?? 0) + ((to?.[one] ?? 0) - (from[one] ?? 0)) * rest),
  ) as unknown as Rgb;
}
