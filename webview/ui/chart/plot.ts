import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {
  type MergedSeries,
  mergeSeries,
  type PlotEvents,
  plotOptions,
  type PlotStyle,
  type PointSeries,
} from './plotOptions';
import {
  type Span,
  spanWithin,
  WHOLE,
  openAtEnds,
  isWhole,
  hasMultipleXValues,
  zoomSpan,
  moveSpanTo,
} from './span';

type NamedSeries = PointSeries & { readonly name: string };

export interface PlotOptions extends PlotStyle, PlotEvents {
  readonly series: readonly NamedSeries[];
  readonly width: number;
  readonly height: number;
}

/** The user's current view of the plot. */
interface View {
  readonly span: Span;
  /** x value at the cursor. */
  readonly cursor: number | undefined;
  /** Index of the point at the cursor; needed because multiple points can have the same x value. */
  readonly cursorIndex: number | undefined;
}

/** Plot of lines, bars, or points, drawn by uPlot in the theme's colors. */
export class Plot {
  private plot: uPlot;
  private merged: MergedSeries;
  private series: readonly NamedSeries[];
  private cursorIndex: number | undefined;
  /** Visible x range, without the space that the plot adds around bars. */
  private span = WHOLE;
  /**
   * Index to which the cursor was set. uPlot tracks only x positions, so it can't distinguish
   * points with the same x value.
   */
  private targetIndex: number | undefined;

  constructor(
    private readonly parent: HTMLElement,
    private readonly options: PlotOptions,
  ) {
    this.series = options.series;
    this.merged = mergeSeries(this.series);
    this.plot = this.make(options);
  }

  /**
   * x values at which any series has a point, in ascending order; times are in milliseconds since
   * 1970.
   */
  get xValues(): readonly number[] {
    return this.merged.x;
  }

  /** Index of the point at the cursor. */
  get cursor(): number | undefined {
    return this.cursorIndex;
  }

  /** True if only part of the x range is visible. */
  get isPart(): boolean {
    const { start, end } = this.span;
    return Number.isFinite(start) || Number.isFinite(end);
  }

  /** The visible canvas. */
  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  /** Returns a series' value at an index. */
  valueAt(series: number, index: number): number | undefined {
    return this.merged.y[series]?.[index];
  }

  /**
   * Replaces the points in the lines or clouds. The x values of the cursor and the visible range
   * don't change. However, a range that includes the end grows when points are added at the end.
   */
  setSeries(series: readonly NamedSeries[]): void {
    const { view } = this;
    const isSame =
      JSON.stringify(getSeriesNames(series)) === JSON.stringify(getSeriesNames(this.series));
    this.series = series;
    this.merged = mergeSeries(series);
    if (isSame) this.plot.setData(this.data, false);
    else this.rebuild();
    this.see(view);
  }

  /** Redraws the plot after the theme changed. */
  recolor(): void {
    const { view } = this;
    this.rebuild();
    this.see(view);
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height });
  }

  /** Shows part or all of the x range. The cursor stays at its point. */
  setSpan(start: number, end: number): void {
    this.see({ ...this.view, span: { start, end } });
  }

  /** Scales the visible range by a factor around the cursor. */
  zoom(factor: number): void {
    const { span, cursor } = this.view;
    const seen = spanWithin(span, this.xValues);
    // Don't zoom in closer than a single point; the precision of numbers is also limited.
    if (factor < 1 && !hasMultipleXValues(seen, this.xValues)) return;
    const { start, end } = zoomSpan(seen, cursor ?? (seen.start + seen.end) / 2, factor);
    this.setSpan(start, end);
  }

  /** Moves the cursor to a point and scrolls it into view. */
  moveTo(index: number): void {
    const at = this.xValues[index];
    if (at === undefined) return;
    this.show(moveSpanTo(at, spanWithin(this.span, this.xValues), this.xValues));
    this.put(index);
  }

  destroy(): void {
    this.plot.destroy();
  }

  private get data(): uPlot.AlignedData {
    const { x, y } = this.merged;
    return [[...x], ...y.map((values) => [...values])] as unknown as uPlot.AlignedData;
  }

  private get view(): View {
    const { span, cursorIndex, xValues } = this;
    return {
      span,
      cursorIndex,
      cursor: cursorIndex === undefined ? undefined : xValues[cursorIndex],
    };
  }

  private see({ span, cursor, cursorIndex: before }: View): void {
    this.show(span);
    const { start, end } = spanWithin(span, this.xValues);
    if (cursor === undefined) return;
    const isSame = before !== undefined && this.xValues[before] === cursor;
    const index = isSame ? before : this.xValues.indexOf(cursor);
    if (index >= 0 && cursor >= start && cursor <= end) this.put(index);
    else this.plot.setCursor({ left: -10, top: -10 });
  }

  /** Draws immediately, because positions in the plot are available only after drawing. */
  private show(span: Span): void {
    const { plot, xValues } = this;
    const { start, end } = spanWithin(span, xValues);
    this.span = openAtEnds({ start, end }, xValues);
    plot.batch(() => {
      plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      // By default, the plot leaves space around bars and around a single point.
      if (isWhole(span, xValues)) plot.setData(plot.data);
      else plot.setScale('x', { min: start, max: end });
    });
  }

  private put(index: number): void {
    const left = this.plot.valToPos(this.xValues[index] ?? 0, 'x');
    this.targetIndex = index;
    this.plot.setCursor({ left: Math.max(0, left), top: 10 });
  }

  private rebuild(): void {
    const { width, height } = this.plot;
    this.plot.destroy();
    this.cursorIndex = undefined;
    this.plot = this.make({ width, height });
  }

  private make({ width, height }: Pick<PlotOptions, 'width' | 'height'>): uPlot {
    const { merged, options, parent, series } = this;
    const onCursor = (index?: number): void => {
      this.cursorIndex = this.known(index);
      options.onCursor(this.cursorIndex);
    };
    const all = plotOptions(merged, getSeriesNames(series), options, { ...options, onCursor });
    return new uPlot({ ...all, width, height }, this.data, parent);
  }

  private known(index: number | undefined): number | undefined {
    const { targetIndex, xValues } = this;
    if (index === undefined || targetIndex === undefined) return index;
    if (xValues[index] === xValues[targetIndex]) return targetIndex;
    this.targetIndex = undefined;
    return index;
  }
}

function getSeriesNames(series: readonly NamedSeries[]): readonly string[] {
  return series.map(({ name }) => name);
}
