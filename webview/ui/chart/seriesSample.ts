import { barFill } from './barFills';
import { lineStyle } from './lineStyles';
import { getMarker } from './markers';
import type { PlotStyle } from './plotOptions';

const WIDTH = 48;
const HEIGHT = 12;

/** Draws a sample of a series in the style that the chart uses, `WIDTH` by `HEIGHT` pixels. */
export function drawSample(
  context: CanvasRenderingContext2D,
  kind: PlotStyle['kind'],
  series: number,
  x = 0,
  y = 0,
): void {
  const { color, dash } = lineStyle(series);
  const middle = y + HEIGHT / 2;
  context.strokeStyle = color;
  context.fillStyle = kind === 'bar' ? barFill(series, color) : color;
  context.lineWidth = kind === 'line' ? 2 : 1;
  context.setLineDash(kind === 'line' ? [...dash] : []);
  const path = new Path2D();
  if (kind === 'line') {
    path.moveTo(x, middle);
    path.lineTo(x + WIDTH, middle);
  } else if (kind === 'bar') path.rect(x + WIDTH / 2 - 8, y + 0.5, 16, HEIGHT - 1);
  else getMarker(series)(path, x + WIDTH / 2, middle, 4);
  if (kind !== 'line') context.fill(path);
  context.stroke(path);
  context.setLineDash([]);
}

/** Returns a sample of a series for the table below the chart. */
export function seriesSample(kind: PlotStyle['kind'], series: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const ratio = devicePixelRatio;
  canvas.width = WIDTH * ratio;
  canvas.height = HEIGHT * ratio;
  canvas.style.inlineSize = `${WIDTH}px`;
  canvas.style.blockSize = `${HEIGHT}px`;
  canvas.setAttribute('aria-hidden', 'true');
  const context = canvas.getContext('2d');
  context?.scale(ratio, ratio);
  if (context) drawSample(context, kind, series);
  return canvas;
}
