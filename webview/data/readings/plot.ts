import uPlot from 'uplot';
import type { ChartLine } from '../../../src/shared/data/readings';
import { lineStyle, themeColor } from './lineStyles';
import 'uplot/dist/uPlot.min.css';

export interface PlotOptions {
  readonly lines: readonly ChartLine[];
  readonly utc: boolean;
  readonly width: number;
  readonly height: number;
  /** The cursor is at a point, by its place among all times; undefined when it has left. */
  readonly onCursor: (place: number | undefined) => void;
  /** A span was chosen by dragging, in milliseconds since 1970. */
  readonly onSpan: (start: number, end: number) => void;
}

/** Lines over time, drawn by uPlot in the colors of the theme. */
export class Plot {
  private readonly plot: uPlot;
  private readonly data: uPlot.AlignedData;

  constructor(parent: HTMLElement, options: PlotOptions) {
    this.data = joined(options.lines);
    this.plot = new uPlot(plotOptions(options), this.data, parent);
  }

  /** All times at which any line has a point, in milliseconds since 1970. */
  get times(): ArrayLike<number> {
    return this.data[0];
  }

  /** What a line has at a place among all times. */
  valueAt(line: number, place: number): number | undefined {
    return this.data[line + 1]?.[place] ?? undefined;
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height });
  }

  /** Puts the cursor to a point. */
  moveTo(place: number): void {
    const time = this.times[place];
    if (time === undefined) return;
    this.plot.setCursor({ left: this.plot.valToPos(time, 'x'), top: 10 });
  }

  destroy(): void {
    this.plot.destroy();
  }
}

/** Lines have times of their own; the library wants one list of them for all. */
function joined(lines: readonly ChartLine[]): uPlot.AlignedData {
  const tables = lines.map(({ times, values }): uPlot.AlignedData => [
    new Float64Array(times),
    new Float64Array(values),
  ]);
  const [first] = tables;
  if (!first) return [[]];
  return tables.length === 1 ? first : uPlot.join(tables);
}

function plotOptions({ lines, utc, width, height, onCursor, onSpan }: PlotOptions): uPlot.Options {
  const text = themeColor('--vscode-foreground');
  const grid = {
    stroke: themeColor('--vscode-editorIndentGuide-background1') || 'rgb(128 128 128 / 25%)',
    width: 1,
  };
  const font = `12px ${themeColor('--vscode-font-family') || 'sans-serif'}`;
  const axis: uPlot.Axis = { stroke: text, grid, ticks: grid, font };
  return {
    ...{ width, height, ms: 1, legend: { show: false } },
    ...(utc && { tzDate: (time: number) => uPlot.tzDate(new Date(time), 'Etc/UTC') }),
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    axes: [axis, { ...axis, size: 70 }],
    series: [
      {},
      ...lines.map(({ name, points }, index): uPlot.Series => {
        const { color, dash } = lineStyle(index);
        // A point alone is no line.
        const show = points <= 200;
        return {
          label: name,
          stroke: color,
          width: 1.5,
          dash: [...dash],
          points: { show, size: 5 },
        };
      }),
    ],
    hooks: {
      setCursor: [(plot) => onCursor(plot.cursor.idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width: chosen } = plot.select;
          if (chosen > 2) onSpan(plot.posToVal(left, 'x'), plot.posToVal(left + chosen, 'x'));
        },
      ],
    },
  };
}
