import { lineStyle, themeColor } from './lineStyles';
import type { PlotStyle } from './plotOptions';
import { drawSample } from './seriesSample';

const LINE_HEIGHT = 20;
const MARGIN = 12;
const SAMPLE_WIDTH = 48;

export interface ChartImage {
  readonly plot: HTMLCanvasElement;
  readonly kind: PlotStyle['kind'];
  /** Names of the series, written below the plot. */
  readonly names: readonly string[];
  /** Additional text, such as a description of the plot. */
  readonly note: string;
}

/** Returns a chart and its names as a PNG file, in the colors of the theme. */
export async function renderChartImage(picture: ChartImage): Promise<ArrayBuffer> {
  const { plot, kind, names, note } = picture;
  const ratio = devicePixelRatio;
  const width = plot.width / ratio;
  const plotHeight = plot.height / ratio;
  const canvas = document.createElement('canvas');
  canvas.width = plot.width;
  canvas.height = (plotHeight + (names.length + 1) * LINE_HEIGHT + 2 * MARGIN) * ratio;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas to draw on.');
  context.fillStyle = themeColor('--vscode-editor-background') || 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(plot, 0, 0);
  context.scale(ratio, ratio);
  context.font = `12px ${themeColor('--vscode-font-family') || 'sans-serif'}`;
  context.textBaseline = 'middle';
  const write = (text: string, left: number, line: number): void => {
    context.fillStyle = themeColor('--vscode-foreground') || 'black';
    const top = plotHeight + MARGIN + line * LINE_HEIGHT + LINE_HEIGHT / 2;
    context.fillText(text, left, top, width - left - MARGIN);
  };
  names.forEach((name, index) => {
    drawSample(context, kind, index, MARGIN, plotHeight + MARGIN + index * LINE_HEIGHT + 4);
    write(`${lineStyle(index).letter} ${name}`, MARGIN + SAMPLE_WIDTH + 8, index);
  });
  write(note, MARGIN, names.length);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The image is too large.');
  return blob.arrayBuffer();
}
