import uPlot from 'uplot';
import { lineStyle, themeColor } from './lineStyles';

/** Points in one line, bar group, or cloud; coordinates are doubles. */
export interface PointSeries {
  readonly x: ArrayBuffer;
  readonly y: ArrayBuffer;
}

export interface MergedSeries {
  /**
   * x values in ascending order. An x value is repeated if a series has multiple points with that
   * value.
   */
  readonly x: readonly number[];
  /** y value for each series at each index; undefined if the series has no point there. */
  readonly y: readonly (readonly (number | undefined)[])[];
}

interface Point {
  readonly series: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Merges series with different x values into one list of x values, as the plot requires. Preserves
 * all points.
 */
export function mergeSeries(all: readonly PointSeries[]): MergedSeries {
  const points = all.flatMap(({ x, y }, series): Point[] => {
    const values = new Float64Array(y);
    return Array.from(new Float64Array(x), (at, index) => ({
      series,
      x: at,
      y: values[index] ?? NaN,
    }));
  });
  points.sort((a, b) => a.x - b.x);
  const x: number[] = [];
  const columns = all.map((): (number | undefined)[] => []);
  /**
   * For each series, the next free index among the indexes with the same x value as the last point.
   */
  let next = all.map(() => 0);
  for (const point of points) {
    if (x.at(-1) !== point.x) next = all.map(() => x.length);
    const place = next[point.series] ?? 0;
    next[point.series] = place + 1;
    if (place === x.length) {
      x.push(point.x);
      for (const column of columns) column.push(undefined);
    }
    const column = columns[point.series];
    if (column && Number.isFinite(point.y)) column[place] = point.y;
  }
  return { x, y: columns };
}

const SIZE = 8;

type DrawPattern = (context: CanvasRenderingContext2D) => void;

/** Fill patterns of bars, which distinguish series without relying on color. */
const PATTERNS: readonly DrawPattern[] = [
  (context) => context.fillRect(0, 0, SIZE, SIZE),
  (context) =>
    stroke(context, [0, SIZE, SIZE, 0], [-1, 1, 1, -1], [SIZE - 1, SIZE + 1, SIZE + 1, SIZE - 1]),
  (context) => stroke(context, [0, SIZE / 2, SIZE, SIZE / 2]),
  (context) => context.fillRect(2, 2, 3, 3),
  (context) => stroke(context, [SIZE / 2, 0, SIZE / 2, SIZE]),
  (context) => stroke(context, [0, SIZE / 2, SIZE, SIZE / 2], [SIZE / 2, 0, SIZE / 2, SIZE]),
];

/** Returns the fill for a series' bars. */
export function barFill(series: number, color: string): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (!context) return color;
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 2;
  PATTERNS[series % PATTERNS.length]?.(context);
  return context.createPattern(canvas, 'repeat') ?? color;
}

function stroke(
  context: CanvasRenderingContext2D,
  ...lines: readonly (readonly [number, number, number, number])[]
): void {
  context.beginPath();
  for (const [x1, y1, x2, y2] of lines) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
}

type DrawMarker = (path: Path2D, x: number, y: number, radius: number) => void;

/** Point shapes, which distinguish clouds without relying on color. */
const MARKERS: readonly DrawMarker[] = [
  disc,
  (path, x, y, radius) => path.rect(x - radius, y - radius, 2 * radius, 2 * radius),
  (path, x, y, radius) => polygon(path, corners(3, -Math.PI / 2), x, y, radius * 1.2),
  (path, x, y, radius) => polygon(path, corners(4, 0), x, y, radius * 1.2),
  (path, x, y, radius) => polygon(path, corners(3, Math.PI / 2), x, y, radius * 1.2),
  (path, x, y, radius) => polygon(path, corners(5, -Math.PI / 2), x, y, radius * 1.2),
  (path, x, y, radius) => {
    path.rect(x - radius, y - radius / 3, 2 * radius, (2 * radius) / 3);
    path.rect(x - radius / 3, y - radius, (2 * radius) / 3, 2 * radius);
  },
];

/** Returns the function that draws a series' points. */
export function getMarker(series: number): DrawMarker {
  return MARKERS[series % MARKERS.length] ?? disc;
}

function disc(path: Path2D, x: number, y: number, radius: number): void {
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 2 * Math.PI);
}

function corners(count: number, from: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, corner) => {
    const angle = from + (corner * 2 * Math.PI) / count;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
}

function polygon(
  path: Path2D,
  at: readonly (readonly [number, number])[],
  x: number,
  y: number,
  radius: number,
): void {
  at.forEach(([right, down], corner) => {
    if (corner === 0) path.moveTo(x + right * radius, y + down * radius);
    else path.lineTo(x + right * radius, y + down * radius);
  });
  path.closePath();
}

/** Style of the points and meaning of the x values. */
export interface PlotStyle {
  readonly kind: 'line' | 'bar' | 'scatter';
  readonly across: 'number' | 'time' | 'text';
  /** Returns the text for an x value, if x values represent strings. */
  readonly label?: (index: number) => string;
  readonly utc: boolean;
  /**
   * True to show a horizontal line at the pointer. The keyboard moves the cursor from point to
   * point, so the cursor then has no vertical position.
   */
  readonly levelLine: boolean;
}

export interface PlotEvents {
  /**
   * Called with the index of the point at the cursor; undefined when the cursor leaves the plot.
   */
  readonly onCursor: (index: number | undefined) => void;
  /** Called when the user selects an x range by dragging. */
  readonly onSpan: (start: number, end: number) => void;
  /** Called when the user double-clicks to show the whole x range. */
  readonly onWhole: () => void;
}

/**
 * Maximum number of visible points for which a line also has point markers. Without markers, a
 * single point would be invisible.
 */
const FEW_POINTS = 200;
/** Fraction of the distance between two bar groups that is filled with bars. */
const FILLED = 0.8;
const MAX_LABEL_LENGTH = 14;
const POINT_SIZE = 7;
/** Possible steps between labels on a text axis: 1, 2, 5, 10, 20, and so on. */
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power));

/** Returns the uPlot options that draw series in the current theme's colors. */
export function plotOptions(
  merged: MergedSeries,
  names: readonly string[],
  style: PlotStyle,
  events: PlotEvents,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { kind, across, utc, levelLine } = style;
  const step = kind === 'bar' ? findSmallestGap(merged.x) : 0;
  return {
    ms: 1,
    legend: { show: false },
    ...(utc && { tzDate: (time: number) => uPlot.tzDate(new Date(time), 'Etc/UTC') }),
    cursor: {
      drag: { x: true, y: false, setScale: false },
      y: levelLine,
      points: { size: POINT_SIZE },
      // By default, uPlot resets to the whole range on a double-click without notifying the visible
      // range's owner.
      bind: {
        dblclick: () => () => {
          events.onWhole();
          return null;
        },
      },
    },
    scales: {
      x: { time: across === 'time', ...(step > 0 && { range: paddedBy(step / 2, merged.x) }) },
      y: kind === 'bar' ? { range: fromZero } : {},
    },
    axes: axes(style),
    series: [{}, ...names.map((name, index) => toPlotSeries(name, index, merged, style, step))],
    hooks: {
      setCursor: [(plot) => events.onCursor(plot.cursor.idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width > 2) events.onSpan(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
        },
      ],
    },
  };
}

function axes({ across, label }: PlotStyle): uPlot.Axis[] {
  const grid = {
    stroke: themeColor('--vscode-editorIndentGuide-background1') || 'rgb(128 128 128 / 25%)',
    width: 1,
  };
  const font = `12px ${themeColor('--vscode-font-family') || 'sans-serif'}`;
  const axis: uPlot.Axis = {
    stroke: themeColor('--vscode-foreground'),
    grid,
    ticks: grid,
    font,
  };
  const named: uPlot.Axis = {
    incrs: WHOLE_STEPS.flat(),
    space: 100,
    values: (_, splits) => splits.map((index) => shortened(label?.(index) ?? '')),
  };
  return [across === 'text' ? { ...axis, ...named } : axis, { ...axis, size: 70 }];
}

function shortened(text: string): string {
  return text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH - 1)}…` : text;
}

function toPlotSeries(
  label: string,
  index: number,
  merged: MergedSeries,
  { kind }: PlotStyle,
  step: number,
): uPlot.Series {
  const { color, dash } = lineStyle(index);
  if (kind === 'bar') {
    const fill = barFill(index, color);
    const paths = bars(index, merged, step);
    return { label, stroke: color, fill: () => fill, width: 1, paths, points: { show: false } };
  }
  if (kind === 'scatter') {
    return {
      label,
      stroke: color,
      paths: () => null,
      points: { show: true, size: POINT_SIZE, fill: color, paths: markers(index) },
    };
  }
  return {
    label,
    stroke: color,
    width: 1.5,
    dash: [...dash],
    points: { show: (plot, series) => hasFewPoints(plot.data[series] ?? []), size: 5 },
  };
}

function hasFewPoints(values: ArrayLike<number | null | undefined>): boolean {
  const points = Array.from(values).filter((value) => typeof value === 'number');
  return points.length <= FEW_POINTS;
}

/** Returns a path builder that draws the bars of multiple series side by side. */
function bars(index: number, { x, y }: MergedSeries, step: number): uPlot.Series.PathBuilder {
  const width = (step * FILLED) / y.length;
  const starts = x.map((middle) => middle + width * (index - y.length / 2));
  const make = uPlot.paths.bars;
  if (!make) return () => null;
  return make({
    disp: { x0: { unit: 1, values: () => starts }, size: { unit: 1, values: () => [width] } },
  });
}

function markers(index: number): uPlot.Series.Points.PathBuilder {
  const draw = getMarker(index);
  return (plot, series, first, last) => {
    const path = new Path2D();
    const radius = (POINT_SIZE * devicePixelRatio) / 2;
    const [xs, ys] = [plot.data[0], plot.data[series]];
    for (let point = first; point <= last; point += 1) {
      const [x, y] = [xs[point], ys?.[point]];
      if (x === undefined || y === undefined || y === null) continue;
      draw(path, plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true), radius);
    }
    return { stroke: path, fill: path };
  };
}

function findSmallestGap(x: readonly number[]): number {
  let least = Infinity;
  for (let point = 1; point < x.length; point += 1) {
    const gap = (x[point] ?? 0) - (x[point - 1] ?? 0);
    if (gap > 0 && gap < least) least = gap;
  }
  return Number.isFinite(least) ? least : 1;
}

function paddedBy(side: number, [first = 0, ...others]: readonly number[]): uPlot.Scale.Range {
  // By default, uPlot would put a single x value at the start of a wide scale.
  if (others.length === 0) return [first - side, first + side];
  return (_, least, greatest) => [least - side, greatest + side];
}

function fromZero(_: uPlot, least: number | null, greatest: number | null): uPlot.Range.MinMax {
  return uPlot.rangeNum(Math.min(0, least ?? 0), Math.max(0, greatest ?? 0), 0.1, true);
}
