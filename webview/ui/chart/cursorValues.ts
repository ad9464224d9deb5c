import { lineStyle } from './lineStyles';
import type { Plot } from './plot';

/**
 * Describes the values of a plot's lines at an index, each with the line's letter and name; skips
 * lines without a point there.
 */
export function cursorValues(
  plot: Plot | undefined,
  lines: readonly { readonly name: string }[],
  pointIndex: number,
  text: (value: number) => string,
): string[] {
  return lines.flatMap(({ name }, index) => {
    const value = plot?.valueAt(index, pointIndex);
    const { letter } = lineStyle(index);
    return value === undefined ? [] : [`${letter} ${name}: ${text(value)}`];
  });
}
