/**
 * Color stops of the Viridis palette, whose lightness increases monotonically, so that it doesn't
 * rely on hue.
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
export function createPalette(background: keyof typeof parts, length: number): readonly Rgb[] {
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
