import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type MergedSeries, mergeSeries, type PointSeries } from './mergeSeries';
import { type PlotEvents, type PlotLook, plotOptions } from './plotOptions';

export interface PlotOptions extends PlotLook, PlotEvents {
  readonly series: readonly (PointSeries & { readonly name: string })[];
  readonly width: number;
  readonly height: number;
}

/** Lines, bars or points, drawn by uPlot in the colors of the theme. */
export class Plot {
  private readonly plot: uPlot;
  private readonly merged: MergedSeries;
  /** Where the cursor was put: of several points at the same place across, the plot knows the nearest only. */
  private movedTo: number | undefined;

  constructor(parent: HTMLElement, options: PlotOptions) {
    const { series, width, height } = options;
    this.merged = mergeSeries(series);
    const names = series.map(({ name }) => name);
    const events = {
      ...options,
      onCursor: (place?: number) => options.onCursor(this.known(place)),
    };
    const all = { ...plotOptions(this.merged, names, options, events), width, height };
    const data = [[...this.merged.x], ...this.merged.y.map((values) => [...values])];
    this.plot = new uPlot(all, data as unknown as uPlot.AlignedData, parent);
  }

  /** Where across any series has a point, in rising order; times in milliseconds since 1970. */
  get places(): readonly number[] {
    return this.merged.x;
  }

  /** The picture as it is on the screen. */
  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  /** What a series has at a place among all. */
  valueAt(series: number, place: number): number | undefined {
    return this.merged.y[series]?.[place];
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height });
  }

  /** What is seen of what is across. */
  get span(): { readonly start: number; readonly end: number } | undefined {
    const { min, max } = this.plot.scales.x ?? {};
    return min === undefined || max === undefined ? undefined : { start: min, end: max };
  }

  /** Shows a part of what is across. */
  setSpan(start: number, end: number): void {
    this.plot.setScale('x', { min: start, max: end });
  }

  /** Puts the cursor to a point. */
  moveTo(place: number): void {
    const at = this.places[place];
    if (at === undefined) return;
    this.movedTo = place;
    this.plot.setCursor({ left: this.plot.valToPos(at, 'x'), top: 10 });
  }

  destroy(): void {
    this.plot.destroy();
  }

  private known(place: number | undefined): number | undefined {
    const { movedTo, places } = this;
    if (place === undefined || movedTo === undefined) return place;
    if (places[place] === places[movedTo]) return movedTo;
    this.movedTo = undefined;
    return place;
  }
}
