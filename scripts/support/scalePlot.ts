import type { BenchCurve, CurvePoint } from './benchResults';

const WIDTH = 760;
const HEIGHT = 420;
/** Edges of the plot area. The labels of the lines are to the right of it. */
const PLOT = { left: 84, right: 480, top: 56, bottom: 356 };
const LABEL_GAP = 18;
/** Colors that people with color blindness can distinguish. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#444444', '#56b4e9'];

/**
 * Renders curves as an SVG file with logarithmic axes. The same curves always result in the same
 * file.
 */
export function renderScalePlot(
  curves: readonly BenchCurve[],
  { title, figure, unit }: { title: string; figure: 'milliseconds' | 'mebibytes'; unit: string },
): string {
  const scales = [...new Set(curves.flatMap(({ points }) => points.map(({ scale }) => scale)))];
  const values = curves.flatMap(({ points }) => points.map((point) => point[figure]));
  const x = logAxis([Math.min(...scales), Math.max(...scales)], [PLOT.left, PLOT.right]);
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const y = logAxis([10 ** low, 10 ** high], [PLOT.bottom, PLOT.top]);
  const decades = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  const grid = [
    ...decades.flatMap((value) => [
      line([PLOT.left, y(value)], [PLOT.right, y(value)], 'stroke="#dddddd"'),
      text([PLOT.left - 8, y(value) + 4], `${format(value)} ${unit}`, 'text-anchor="end"'),
    ]),
    ...scales.flatMap((scale) => [
      line([x(scale), PLOT.top], [x(scale), PLOT.bottom], 'stroke="#dddddd"'),
      text([x(scale), PLOT.bottom + 20], `${format(scale)}×`, 'text-anchor="middle"'),
    ]),
  ];
  const center = (PLOT.left + PLOT.right) / 2;
  const labels = spread(
    curves.map(({ points }) => y(points.at(-1)?.[figure] ?? 10 ** low)),
    LABEL_GAP,
  );
  const lines = curves.flatMap(({ name, points }, index) => {
    const color = COLORS[index % COLORS.length] ?? '';
    const label = labels[index] ?? 0;
    const position = (point: CurvePoint): Position => [x(point.scale), y(point[figure])];
    const path = points.map((point) => position(point).map(round).join(',')).join(' ');
    const last = points.at(-1);
    return [
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...points.map((point) => {
        const [cx, cy] = position(point);
        return `<circle cx="${round(cx)}" cy="${round(cy)}" r="3.5" fill="${color}"/>`;
      }),
      ...(last
        ? [line(position(last), [PLOT.right + 22, label], `stroke="${color}" stroke-opacity="0.5"`)]
        : []),
      text([PLOT.right + 28, label + 4], name),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#222222">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="6" fill="#ffffff"/>`,
    text([PLOT.left, 32], title, 'font-size="15" font-weight="bold"'),
    ...grid,
    growthGuide(x, y, [Math.min(...scales), Math.max(...scales)], [10 ** low, 10 ** high]),
    ...lines,
    text([center, PLOT.bottom + 44], "Multiple of the demo fleet's size", 'text-anchor="middle"'),
    '</svg>',
    '',
  ].join('\n');
}

type Position = readonly [x: number, y: number];
type Range = readonly [from: number, to: number];
type Axis = (value: number) => number;

function logAxis([from, to]: Range, [start, end]: Range): Axis {
  return (value) => start + (Math.log(value / from) / Math.log(to / from)) * (end - start);
}

/** Returns a dashed line with the slope of growth that is proportional to the size. */
function growthGuide(x: Axis, y: Axis, scales: Range, values: Range): string {
  const growth = Math.min(scales[1] / scales[0], values[1] / values[0]);
  const start: Position = [x(scales[0]), y(values[0])];
  const end: Position = [x(scales[0] * growth), y(values[0] * growth)];
  return line(start, end, 'stroke="#888888" stroke-dasharray="5 5"');
}

/** Moves positions apart to a minimum distance without changing their order. */
function spread(positions: readonly number[], gap: number): readonly number[] {
  const moved = [...positions];
  const order = positions.map((_, index) => index);
  // Starts at the bottom, where the axis ends, and moves labels up.
  order.sort((a, b) => (positions[b] ?? 0) - (positions[a] ?? 0));
  let limit = Infinity;
  for (const index of order) {
    const position = Math.min(positions[index] ?? 0, limit);
    moved[index] = position;
    limit = position - gap;
  }
  return moved;
}

function line([x1, y1]: Position, [x2, y2]: Position, attributes: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${attributes}/>`;
}

function text([x, y]: Position, content: string, attributes = ''): string {
  const separator = attributes === '' ? '' : ' ';
  return `<text x="${round(x)}" y="${round(y)}"${separator}${attributes}>${escapeXml(content)}</text>`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function format(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
