const MIN_WIDTH = 100;

/**
 * Returns the size of the plot in an area, in pixels. Also works before the browser has laid out
 * the area.
 */
export function plotSize(
  { clientWidth, clientHeight }: HTMLElement,
  leastHeight: number,
): { readonly width: number; readonly height: number } {
  return {
    width: Math.max(clientWidth, MIN_WIDTH),
    height: Math.max(clientHeight, leastHeight),
  };
}
