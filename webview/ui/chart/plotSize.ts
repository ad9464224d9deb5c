const LEAST_WIDTH = 100;

/** How large a plot in an area is, in pixels: readable also before the area was laid out. */
export function plotSize(
  { clientWidth, clientHeight }: HTMLElement,
  leastHeight: number,
): { readonly width: number; readonly height: number } {
  return {
    width: Math.max(clientWidth, LEAST_WIDTH),
    height: Math.max(clientHeight, leastHeight),
  };
}
