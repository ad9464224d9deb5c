import { lineStyle } from './lineStyles';
import type { Plot } from './plot';

/** What the lines of a plot are at a place, each by its letter and name; those without a point there are left out. */
export function cursorValues(
  plot: Plot | undefined,
  lines: readonly { readonly name: string }[],
  place: number,
  text: (value: number) => string,
): string[] {
  return lines.flatMap(({ name }, index) => {
    const value = plot?.valueAt(index, place);
    const { letter } = lineStyle(index);
    return value === undefined ? [] : [`${letter} ${name}: ${text(value)}`];
  });
}
