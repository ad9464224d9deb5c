import uPlot from 'uplot';
import { barFill } from './barFills';
import { lineStyle, themeColor } from './lineStyles';
import { markerOf } from './markers';
import type { MergedSeries } from './mergeSeries';

/** How points are drawn, and what the numbers across stand for. */
export interface PlotLook {
  readonly kind: 'line' | 'bar' | 'scatter';
  readonly across: 'number' | 'time' | 'text';
  /** What a number across stands for, where that is a text. */
  readonly label?: (place: number) => string;
  readonly utc: boolean;
  /** Whether a line says how high the pointer is. The keyboard goes from point to point, at no height. */
  readonly levelLine: boolean;
}

export interface PlotEvents {
  /** The cursor is at a point, by its place among all; undefined when it has left. */
  readonly onCursor: (place: number | undefined) => void;
  /** A span across was chosen by dragging. */
  readonly onSpan: (start: number, end: number) => void;
  /** All that is across was asked for by a double click. */
  readonly onWhole: () => void;
}

/** Up to so many, the points of a line are drawn as well: a point alone is no line. */
const FEW_POINTS = 200;
/** How much of the way from one group of bars to the next is filled. */
const FILLED = 0.8;
const LONGEST_LABEL = 14;
const POINT_SIZE = 7;
/** Between texts that are named at an axis: 1, 2, 5, 10, 20 and so on. */
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power));

/** What uPlot is told to draw series in the colors of the theme as it is now. */
export function plotOptions(
  merged: MergedSeries,
  names: readonly string[],
  look: PlotLook,
  events: PlotEvents,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { kind, across, utc, levelLine } = look;
  const step = kind === 'bar' ? leastGap(merged.x) : 0;
  return {
    ...{ ms: 1, legend: { show: false } },
    ...(utc && { tzDate: (time: number) => uPlot.tzDate(new Date(time), 'Etc/UTC') }),
    cursor: {
      ...{ drag: { x: true, y: false, setScale: false }, y: levelLine },
      points: { size: POINT_SIZE },
      // Left to itself, the plot shows everything without a word to those who say what is seen.
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
    axes: axes(look),
    series: [{}, ...names.map((name, index) => seriesOf(name, index, merged, look, step))],
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

function axes({ across, label }: PlotLook): uPlot.Axis[] {
  const grid = {
    stroke: themeColor('--vscode-editorIndentGuide-background1') || 'rgb(128 128 128 / 25%)',
    width: 1,
  };
  const font = `12px ${themeColor('--vscode-font-family') || 'sans-serif'}`;
  const axis: uPlot.Axis = {
    ...{ stroke: themeColor('--vscode-foreground'), grid, ticks: grid, font },
  };
  const named: uPlot.Axis = {
    incrs: WHOLE_STEPS.flat(),
    space: 100,
    values: (_, places) => places.map((place) => shortened(label?.(place) ?? '')),
  };
  return [across === 'text' ? { ...axis, ...named } : axis, { ...axis, size: 70 }];
}

function shortened(text: string): string {
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
}

function seriesOf(
  label: string,
  index: number,
  merged: MergedSeries,
  { kind }: PlotLook,
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
      ...{ label, stroke: color, paths: () => null },
      points: { show: true, size: POINT_SIZE, fill: color, paths: markers(index) },
    };
  }
  return {
    ...{ label, stroke: color, width: 1.5, dash: [...dash] },
    points: { show: (plot, series) => hasFewPoints(plot.data[series] ?? []), size: 5 },
  };
}

function hasFewPoints(values: ArrayLike<number | null | undefined>): boolean {
  const points = Array.from(values).filter((value) => typeof value === 'number');
  return points.length <= FEW_POINTS;
}

/** Bars of several series stand side by side. */
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
  const draw = markerOf(index);
  return (plot, series, first, last) => {
    const path = new Path2D();
    const radius = (POINT_SIZE * devicePixelRatio) / 2;
    const [xs, ys] = [plot.data[0], plot.data[series]];
    for (let place = first; place <= last; place += 1) {
      const [x, y] = [xs[place], ys?.[place]];
      if (x === undefined || y === undefined || y === null) continue;
      draw(path, plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true), radius);
    }
    return { stroke: path, fill: path };
  };
}

function leastGap(x: readonly number[]): number {
  let least = Infinity;
  for (let place = 1; place < x.length; place += 1) {
    const gap = (x[place] ?? 0) - (x[place - 1] ?? 0);
    if (gap > 0 && gap < least) least = gap;
  }
  return Number.isFinite(least) ? least : 1;
}

function paddedBy(side: number, [first = 0, ...others]: readonly number[]): uPlot.Scale.Range {
  // Left alone, a place by itself is put at the start of a wide scale.
  if (others.length === 0) return [first - side, first + side];
  return (_, least, greatest) => [least - side, greatest + side];
}

function fromZero(_: uPlot, least: number | null, greatest: number | null): uPlot.Range.MinMax {
  return uPlot.rangeNum(Math.min(0, least ?? 0), Math.max(0, greatest ?? 0), 0.1, true);
}
