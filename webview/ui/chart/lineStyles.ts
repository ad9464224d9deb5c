const COLORS = [
  '--vscode-charts-blue',
  '--vscode-charts-green',
  '--vscode-charts-purple',
  '--vscode-charts-red',
  '--vscode-charts-yellow',
  '--vscode-foreground',
];

/** Lengths of dashes and gaps in pixels, which distinguish lines without relying on color. */
const DASHES: readonly (readonly number[])[] = [
  [],
  [8, 4],
  [2, 3],
  [10, 3, 2, 3],
  [14, 5],
  [5, 2, 1, 2, 1, 2],
  [1, 6],
  [20, 4, 4, 4],
  [6, 6],
  [3, 1],
  [16, 3, 2, 3, 2, 3],
  [4, 10],
];

export interface LineStyle {
  /** CSS color from the theme. */
  readonly color: string;
  readonly dash: readonly number[];
  /** Letter that identifies the line in the chart and in the table. */
  readonly letter: string;
}

/** Returns a line's style by its index, in the current theme's colors. */
export function lineStyle(index: number): LineStyle {
  const name = COLORS[index % COLORS.length] ?? '';
  return {
    color: themeColor(name) || themeColor('--vscode-foreground'),
    dash: DASHES[index % DASHES.length] ?? [],
    letter: String.fromCharCode(65 + (index % 26)),
  };
}

/** Returns a theme variable's value. */
export function themeColor(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}

const SVG = 'http://www.w3.org/2000/svg';

/** Returns a sample of the line for the table below the chart. */
export function lineSample({ color, dash }: LineStyle): SVGElement {
  const image = document.createElementNS(SVG, 'svg');
  image.setAttribute('width', '48');
  image.setAttribute('height', '10');
  image.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'line');
  const attributes = { x1: '0', x2: '48', y1: '5', y2: '5', stroke: color, 'stroke-width': '2' };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
  if (dash.length > 0) line.setAttribute('stroke-dasharray', dash.join(' '));
  image.append(line);
  return image;
}
